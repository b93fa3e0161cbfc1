import { createPublicKey } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../../kernel/lru.ts';
import { KeyedSemaphore } from '../../../kernel/concurrency.ts';
import type { RemoteDocument, RemoteDocuments } from '../remote/documents.ts';
import { idOf, isObject, listOf, type Foreign } from '../remote/json.ts';
import { isRemoteError, RemoteError } from '../remote/remote-error.ts';

/** A key of another server's actor. */
export interface RemoteKey {
  id: string;
  /** The URI of the actor whose it is. */
  owner: string;
  /** The owner's collections of followers and of pinned posts; null for none. */
  followers: string | null;
  featured: string | null;
  /** SPKI, PEM; RSA. */
  pem: string;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** How many keys may be asked for at once: in all, and of one host, which may be one that does not answer. */
const PLACES = { inAll: 64, perKey: 32 };
/** Milliseconds for all that is asked about one key: the request that is signed with it waits. */
const DEADLINE = 10_000;
/** How often in a minute a known key is asked for anew: signatures that do not hold must not have other servers asked for ever. */
const REFRESHES = { perKey: 3, perHost: 60 };

/**
 * Keys that others sign with, from their actors' documents: kept for an hour, those that could not be had for a minute. A key is
 * its owner's when the owner's document, at the key's own origin, names it (CVE-2024-23832).
 */
export class RemoteKeys {
  readonly #documents: RemoteDocuments;
  readonly #deadline: number;
  readonly #keys = new LRUCache<string, RemoteKey>({ ...atMost(5_000), ttl: HOUR });
  readonly #missing = new LRUCache<string, true>({ ...atMost(5_000), ttl: MINUTE });
  readonly #places = new KeyedSemaphore(PLACES);
  readonly #underWay = new Map<string, Promise<RemoteKey | undefined>>();
  /** Refreshes of this minute, of keys and of hosts. */
  readonly #refreshes = new LRUCache<string, number>({ ...atMost(10_000), ttl: MINUTE, noUpdateTTL: true });

  constructor(documents: RemoteDocuments, deadline = DEADLINE) {
    this.#documents = documents;
    this.#deadline = deadline;
  }

  /** Returns whether `get` asks no other server: the key is known, or is known not to be there. */
  has(keyId: string): boolean {
    return this.#keys.has(keyId) || this.#missing.has(keyId);
  }

  /** Undefined when there is none to be had. `fresh` asks again, as often as `REFRESHES` lets it. */
  async get(keyId: string, { fresh = false } = {}): Promise<RemoteKey | undefined> {
    const known = this.#keys.get(keyId);
    if (known && !(fresh && this.#mayRefresh(keyId))) return known;
    if (this.#missing.has(keyId)) return undefined;
    const underWay = this.#underWay.get(keyId);
    if (underWay) return underWay;
    const leave = this.#places.tryAcquire(hostOf(keyId));
    if (!leave) return undefined;
    const asking = this.#ask(keyId).finally(() => {
      leave();
      this.#underWay.delete(keyId);
    });
    this.#underWay.set(keyId, asking);
    return asking;
  }

  /** Has the key asked for anew before it counts again, since its owner says that it has changed. */
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

  /** Where a known key cannot be had again, it stays: the server of its owner may be down. */
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
    // Either the actor itself, or a document of the key that says whose it is.
    const owner = first.document['publicKey'] === undefined ? idOf(first.document['owner']) : first.id;
    if (owner === undefined) throw new RemoteError('has no key');
    const actor = owner === first.id ? first : await this.#documents.get(owner, signal);
    if (actor.id !== owner || new URL(owner).origin !== origin)
      throw new RemoteError('has a key of another origin');
    const collection = (name: string): string | null => {
      const uri = idOf(actor.document[name]);
      return uri !== undefined && uri.length <= 2_048 && URL.parse(uri)?.origin === origin ? uri : null;
    };
    const collections = { followers: collection('followers'), featured: collection('featured') };
    return { id: keyId, owner, ...collections, pem: pemIn(actor, keyId) };
  }
}

const hostOf = (keyId: string): string => URL.parse(keyId)?.host ?? '';

/** Returns the PEM of the key of this id that an actor names as its own, whatever it is. */
export function namedKey({ id, document }: RemoteDocument, keyId: string): unknown {
  const key = listOf(document['publicKey'], 20).find(
    (value): value is Foreign => isObject(value) && value['id'] === keyId && idOf(value['owner']) === id,
  );
  return key?.['publicKeyPem'];
}

/** The key of this id that an actor names as its own. @throws RemoteError */
function pemIn(actor: RemoteDocument, keyId: string): string {
  const pem = namedKey(actor, keyId);
  if (typeof pem !== 'string' || pem.length > 8_192 || !isStrongRsa(pem))
    throw new RemoteError('has no key that can be used');
  return pem;
}

/** Checking a signature by a key beyond these takes a long time. */
function isStrongRsa(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem);
    const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
    return (
      asymmetricKeyType === 'rsa' &&
      modulusLength >= 2_048 &&
      modulusLength <= 4_096 &&
      publicExponent <= 65_537n
    );
  } catch {
    return false;
  }
}
