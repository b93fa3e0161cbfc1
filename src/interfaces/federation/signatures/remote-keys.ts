import { LRUCache } from 'lru-cache';
import { atMost } from '../../../kernel/lru.ts';
import { KeyedSemaphore } from '../../../kernel/concurrency.ts';
import type { RemoteDocuments } from '../remote/documents.ts';
import { idOf } from '../remote/json.ts';
import { isRemoteError, RemoteError } from '../remote/remote-error.ts';
import { keyNamedBy, ownerIn, type NamedKey } from './named-keys.ts';

/** A key of a remote actor. */
export interface RemoteKey extends NamedKey {
  id: string;
  /** The URI of its actor. */
  owner: string;
  /** The owner's collections of followers and of pinned posts; null for none. */
  followers: string | null;
  featured: string | null;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** The maximum number of keys that are fetched at once: in total, and of one host, which may not respond. */
const PLACES = { inAll: 64, perKey: 32 };
/** Milliseconds for all requests about one key: the signed request waits for them. */
const DEADLINE = 10_000;
/**
 * The maximum number of refreshes per minute: invalid signatures must not cause unlimited requests to other
 * servers.
 */
const REFRESHES = { perKey: 3, perHost: 60 };

/**
 * The keys of other servers, from actor documents: cached for an hour, failed fetches for a minute. A key
 * belongs to an actor when the actor's document, at the key's own origin, names it (CVE-2024-23832).
 */
export class RemoteKeys {
  readonly #documents: RemoteDocuments;
  readonly #deadline: number;
  readonly #keys = new LRUCache<string, RemoteKey>({ ...atMost(5_000), ttl: HOUR });
  readonly #missing = new LRUCache<string, true>({ ...atMost(5_000), ttl: MINUTE });
  readonly #places = new KeyedSemaphore(PLACES);
  readonly #pending = new Map<string, Promise<RemoteKey | undefined>>();
  /** The refreshes of this minute, by key and by host. */
  readonly #refreshes = new LRUCache<string, number>({ ...atMost(10_000), ttl: MINUTE, noUpdateTTL: true });

  constructor(documents: RemoteDocuments, deadline = DEADLINE) {
    this.#documents = documents;
    this.#deadline = deadline;
  }

  /** Returns true if `get` makes no request: the key is known, or known to be missing. */
  has(keyId: string): boolean {
    return this.#keys.has(keyId) || this.#missing.has(keyId);
  }

  /** Returns undefined when the key cannot be fetched. `fresh` fetches again, within `REFRESHES`. */
  async get(keyId: string, { fresh = false } = {}): Promise<RemoteKey | undefined> {
    const known = this.#keys.get(keyId);
    if (known && !(fresh && this.#mayRefresh(keyId))) return known;
    if (this.#missing.has(keyId)) return undefined;
    const pending = this.#pending.get(keyId);
    if (pending) return pending;
    const leave = this.#places.tryAcquire(hostOf(keyId));
    if (!leave) return undefined;
    const asking = this.#ask(keyId).finally(() => {
      leave();
      this.#pending.delete(keyId);
    });
    this.#pending.set(keyId, asking);
    return asking;
  }

  /** Fetches the key again before its next use, because its owner announced a change. */
  forget(keyId: string): void {
    if (this.#mayRefresh(keyId)) this.#keys.delete(keyId);
  }

  #mayRefresh(keyId: string): boolean {
    const host = `//${hostOf(keyId)}`;
    const [ofKey, ofHost] = [this.#refreshes.get(keyId) ?? 0, this.#refreshes.get(host) ?? 0];
    if (ofKey >= REFRESHES.perKey || ofHost >= REFRESHES.perHost) return false;
    this.#refreshes.set(keyId, ofKey + 1);
    this.#refreshes.set(host, ofHost + 1);
    return true;
  }

  /** A known key that cannot be fetched again stays: its owner's server may be down. */
  async #ask(keyId: string): Promise<RemoteKey | undefined> {
    try {
      const key = await this.#fetch(keyId);
      this.#keys.set(keyId, key);
      return key;
    } catch (error) {
      if (!isRemoteError(error)) throw error;
      if (!this.#keys.has(keyId)) this.#missing.set(keyId, true);
      return this.#keys.get(keyId);
    }
  }

  async #fetch(keyId: string): Promise<RemoteKey> {
    const { origin } = this.#documents.assertForeign(keyId);
    const signal = AbortSignal.timeout(this.#deadline);
    const first = await this.#documents.get(keyId, signal);
    // The document is the actor itself, or that of a key which names its owner.
    const owner = ownerIn(first);
    if (owner === undefined) throw new RemoteError('has no key');
    const actor = owner === first.id ? first : await this.#documents.get(owner, signal);
    if (actor.id !== owner || new URL(owner).origin !== origin)
      throw new RemoteError('has a key of another origin');
    const collection = (name: string): string | null => {
      const uri = idOf(actor.document[name]);
      return uri !== undefined && uri.length <= 2_048 && URL.parse(uri)?.origin === origin ? uri : null;
    };
    const collections = { followers: collection('followers'), featured: collection('featured') };
    return { id: keyId, owner, ...collections, ...keyNamedBy(actor, keyId, first) };
  }
}

const hostOf = (keyId: string): string => URL.parse(keyId)?.host ?? '';
