import { LRUCache } from 'lru-cache';
import { KeyedSemaphore } from '#kernel/concurrency.ts';
import { atMost } from '#kernel/lru.ts';
import type { RemoteDocument, RemoteDocuments } from '../remote/documents.ts';
import { isRemoteError, RemoteError } from '../remote/remote-error.ts';
import { isUsable, keyAlone, type NamedKey, ownerIn } from './named-keys.ts';
import { fingerprintOf, type SigningActor, signingActorOf, usableKeys } from './signing-actor.ts';

/** A key of a remote actor. */
export interface RemoteKey extends NamedKey {
  id: string;
  /** The URI of its actor. */
  owner: string;
  /** The owner's collections of followers and of pinned posts; null for none. */
  followers: string | null;
  featured: string | null;
  /** The owner's name on its server; null without one. */
  username: string | null;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
/**
 * The maximum number of keys that are fetched or wait for room: in total, and of one host. Requests that hang leave their room
 * to others (`WaitingRoom`), so the total is larger than the room.
 */
const PLACES = { inAll: 1_024, perKey: 32 };
/** Milliseconds for all requests about one key: the signed request waits for them. */
const DEADLINE = 10_000;
/**
 * The maximum number of refreshes per minute: invalid signatures must not cause unlimited requests to other
 * servers.
 */
const REFRESHES = { perKey: 3, perHost: 60 };

/** The actors whose keys are cached, and the keys that lead to them. */
const MAX_ACTORS = 5_000;
const MAX_KEYS = 10_000;

interface Cached extends Omit<SigningActor, 'keys'> {
  fingerprint: string;
  keys: ReadonlyMap<string, NamedKey>;
  /** The keys that have documents of their own, as far as these were fetched. */
  alone: ReadonlyMap<string, NamedKey>;
}

/** Called with what the document of an actor says, by its fingerprint. */
type Tell = (actor: string, fingerprint: string) => void;

/**
 * The keys of other servers, from actor documents: cached for an hour, failed fetches for a minute. A key
 * belongs to an actor when the actor's document, at the key's own origin, names it (CVE-2024-23832). A document
 * that is read replaces all keys of its actor.
 */
export class RemoteKeys {
  readonly #documents: RemoteDocuments;
  readonly #deadline: number;
  readonly #tell: Tell;
  readonly #actors = new LRUCache<string, Cached>({ ...atMost(MAX_ACTORS), ttl: HOUR });
  readonly #owners = new LRUCache<string, string>({ ...atMost(MAX_KEYS), ttl: HOUR });
  readonly #missing = new LRUCache<string, true>({ ...atMost(5_000), ttl: MINUTE });
  readonly #places = new KeyedSemaphore(PLACES);
  readonly #pending = new Map<string, Promise<RemoteKey | undefined>>();
  /** The refreshes of this minute, by key or actor and by host. */
  readonly #refreshes = new LRUCache<string, number>({ ...atMost(10_000), ttl: MINUTE, noUpdateTTL: true });

  constructor(
    documents: RemoteDocuments,
    { deadline = DEADLINE, tell = () => undefined }: { deadline?: number; tell?: Tell } = {},
  ) {
    this.#documents = documents;
    this.#deadline = deadline;
    this.#tell = tell;
  }

  /** Returns true if `get` makes no request: the key is known, or known to be missing. */
  has(keyId: string): boolean {
    return this.#known(keyId) !== undefined || this.#missing.has(keyId);
  }

  /** Returns undefined when the key cannot be fetched. `fresh` fetches again, within `REFRESHES`. */
  async get(keyId: string, { fresh = false } = {}): Promise<RemoteKey | undefined> {
    const known = this.#known(keyId);
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

  /** Takes over the document of an actor, read for any reason, from the address of its id. */
  learn(remote: RemoteDocument): void {
    if (!this.#actors.has(remote.id) && ownerIn(remote) !== remote.id) return;
    const actor = signingActorOf(remote);
    this.#tell(remote.id, fingerprintOf(actor));
    if (this.#actors.has(remote.id)) this.#remember(actor);
  }

  /**
   * Fetches an actor again before its next use if it announced something else than what is known, within
   * `REFRESHES`.
   */
  announced(remote: RemoteDocument): void {
    const known = this.#actors.get(remote.id);
    const fingerprint = fingerprintOf(signingActorOf(remote));
    if (!known || known.fingerprint === fingerprint || !this.#mayRefresh(remote.id)) return;
    this.#actors.delete(remote.id);
    this.#tell(remote.id, fingerprint);
  }

  /** Forgets an actor that another process knows otherwise; without an actor, all of them. */
  heard(actor?: { uri: string; fingerprint: string }): void {
    if (!actor) this.#actors.clear();
    else if (this.#actors.get(actor.uri)?.fingerprint !== actor.fingerprint) this.#actors.delete(actor.uri);
  }

  #known(keyId: string): RemoteKey | undefined {
    const actor = this.#actors.get(this.#owners.get(keyId) ?? '');
    const key = actor?.keys.get(keyId) ?? actor?.alone.get(keyId);
    if (!actor || !key) return undefined;
    const { owner, followers, featured, username } = actor;
    return { id: keyId, owner, followers, featured, username, ...key };
  }

  /** Replaces all that is known of an actor, except keys in documents of their own that it still names. */
  #remember(actor: SigningActor, fetched: readonly [keyId: string, key: NamedKey][] = []): void {
    const earlier = this.#actors.get(actor.owner)?.alone ?? [];
    const alone = new Map([...earlier, ...fetched].filter(([keyId]) => actor.elsewhere.includes(keyId)));
    const keys = usableKeys(actor.keys);
    this.#actors.set(actor.owner, { ...actor, keys, alone, fingerprint: fingerprintOf(actor) });
    for (const keyId of [...keys.keys(), ...alone.keys()]) this.#missing.delete(keyId);
  }

  #mayRefresh(name: string): boolean {
    const host = `//${hostOf(name)}`;
    const [ofName, ofHost] = [this.#refreshes.get(name) ?? 0, this.#refreshes.get(host) ?? 0];
    if (ofName >= REFRESHES.perKey || ofHost >= REFRESHES.perHost) return false;
    this.#refreshes.set(name, ofName + 1);
    this.#refreshes.set(host, ofHost + 1);
    return true;
  }

  /** A known key that cannot be fetched again stays: its owner's server may be down. */
  async #ask(keyId: string): Promise<RemoteKey | undefined> {
    try {
      await this.#fetch(keyId);
    } catch (error) {
      if (!isRemoteError(error)) throw error;
    }
    const known = this.#known(keyId);
    if (!known) this.#missing.set(keyId, true);
    return known;
  }

  /** Fetches and remembers the actor that a key leads to. @throws RemoteError, FetchError */
  async #fetch(keyId: string): Promise<void> {
    const { origin } = this.#documents.assertForeign(keyId);
    const signal = AbortSignal.timeout(this.#deadline);
    const first = await this.#documents.get(keyId, signal);
    // The document is the actor itself, or that of a key which names its owner.
    const owner = ownerIn(first);
    if (owner === undefined) throw new RemoteError('has no key');
    const actor = owner === first.id ? first : await this.#documents.get(owner, signal);
    if (actor.id !== owner || new URL(owner).origin !== origin)
      throw new RemoteError('has a key of another origin');
    const alone = first.id === keyId ? keyAlone(first, owner) : undefined;
    this.#remember(signingActorOf(actor), alone && isUsable(alone) ? [[keyId, alone]] : []);
    // Only the key that was asked for: an actor could list a key id of another one.
    this.#owners.set(keyId, owner);
  }
}

const hostOf = (uri: string): string => URL.parse(uri)?.host ?? '';
