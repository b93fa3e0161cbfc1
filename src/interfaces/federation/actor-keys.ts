import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Notifications } from '#kernel/listening.ts';
import { atMost } from '#kernel/lru.ts';
import type { MasterKey } from '#kernel/master-key.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { ActorPublicKeys, OutgoingActivity, PublicKeys } from '#kernel/services/federation.ts';
import { sealedEd25519Pair, sealedRsaPair, unsealedEd25519Key, unsealedRsaKey } from './actor-key-pairs.ts';
import { assertionKeyUri, mainKeyUri } from './documents/key-uris.ts';

/** Announces accounts whose key has changed. */
const ACTOR_KEYS_CHANNEL = 'rookery_actor_keys';

const SELECT = statement<Row>(
  'actor_keys_select',
  `select public_key, wrapped_private_key, assertion_key, wrapped_assertion_key
   from durable.actor_keys where account_id = $1`,
);
/** If two keys are created at the same time, the first one stays. */
const INSERT = statement(
  'actor_keys_insert',
  `insert into durable.actor_keys (account_id, public_key, wrapped_private_key, assertion_key, wrapped_assertion_key)
   values ($1, $2, $3, $4, $5) on conflict (account_id) do nothing`,
);
/** Completes a row from before accounts had a second pair. */
const COMPLETE = statement(
  'actor_keys_complete',
  `update durable.actor_keys set assertion_key = $2, wrapped_assertion_key = $3
   where account_id = $1 and assertion_key is null`,
);

const ROTATE = statement(
  'actor_keys_rotate',
  `with before as (
     select account_id, wrapped_private_key from durable.actor_keys where account_id = $1 for update
   ), retired as (
     insert into durable.retired_actor_keys (id, account_id, wrapped_private_key)
     select $2::bigint, account_id, wrapped_private_key from before returning account_id
   ), rotated as (
     update durable.actor_keys k set public_key = $3, wrapped_private_key = $4, assertion_key = $5,
       wrapped_assertion_key = $6, created_at = now()
     from retired r where k.account_id = r.account_id returning k.account_id
   )
   select pg_notify('${ACTOR_KEYS_CHANNEL}', account_id::text) from rotated`,
);
const RETIRED = statement<Pick<Row, 'wrapped_private_key'> & { account_id: string }>(
  'actor_keys_retired',
  'select account_id, wrapped_private_key from durable.retired_actor_keys where id = $1',
);

interface Row {
  public_key: string;
  wrapped_private_key: Buffer;
  /** Null in rows from before accounts had a second pair. */
  assertion_key: string | null;
  wrapped_assertion_key: Buffer | null;
}
type CompleteRow = { [Column in keyof Row]: NonNullable<Row[Column]> };

/**
 * The pairs of local accounts: RSA-2048 signs requests, Ed25519 proves activities. They are created on first
 * use and kept until they are rotated. Private keys are wrapped by the master key and bound to their account.
 */
export class ActorKeys implements ActorPublicKeys {
  readonly #db: Db;
  readonly #master: MasterKey;
  readonly #publicKeys = new LRUCache<string, PublicKeys>(atMost(10_000));
  readonly #provers = new LRUCache<string, KeyObject>(atMost(1_000));
  readonly #making = new Map<string, Promise<CompleteRow>>();
  readonly #listeners = new Set<(accountId?: string) => void>();
  /** Counts the announced rotations: a key that was read before one must not be cached after it. */
  #rotations = 0;

  constructor(db: Db, master: MasterKey) {
    this.#db = db;
    this.#master = master;
  }

  /** Listens for keys that other processes rotate. */
  async listen(notifications: Notifications): Promise<void> {
    await notifications.subscribe({
      channel: ACTOR_KEYS_CHANNEL,
      onNotification: (accountId) => this.#forget(accountId),
      onConnected: () => this.#forget(),
    });
  }

  /** Calls the listener with the account whose key changed; without an account when it may be any. */
  onRotated(listener: (accountId?: string) => void): void {
    this.#listeners.add(listener);
  }

  get rotations(): number {
    return this.#rotations;
  }

  async publicKeys(accountId: string): Promise<PublicKeys> {
    const cached = this.#publicKeys.get(accountId);
    if (cached !== undefined) return cached;
    const before = this.#rotations;
    const { public_key: publicKeyPem, assertion_key: assertionKey } = await this.#find(accountId);
    const keys = { publicKeyPem, assertionKey };
    if (before === this.#rotations) this.#publicKeys.set(accountId, keys);
    return keys;
  }

  /**
   * Replaces the present pairs. The RSA pair is kept under `retiredId` for a while. @returns the new public
   * keys; undefined for an account without keys
   */
  async rotate(accountId: string, retiredId: string): Promise<PublicKeys | undefined> {
    const [rsa, ed25519] = await this.#pairsFor(accountId);
    const rotated = await this.#db.query(ROTATE, [
      ...[accountId, retiredId, rsa.publicKey, rsa.wrapped],
      ...[ed25519.publicKey, ed25519.wrapped],
    ]);
    if (rotated.length === 0) return undefined;
    this.#forget(accountId);
    return { publicKeyPem: rsa.publicKey, assertionKey: ed25519.publicKey };
  }

  /** PKCS#8, DER; undefined when it is no longer kept. */
  async retiredKey(retiredId: string): Promise<Buffer | undefined> {
    const [row] = await this.#db.query(RETIRED, [retiredId]);
    return row && unsealedRsaKey(this.#master, row.account_id, row.wrapped_private_key);
  }

  /** PKCS#8, DER. */
  async privateKey(accountId: string): Promise<Buffer> {
    const { wrapped_private_key } = await this.#find(accountId);
    return unsealedRsaKey(this.#master, accountId, wrapped_private_key);
  }

  async signed(
    accountId: string,
    activity: OutgoingActivity['document'],
  ): Promise<OutgoingActivity['document']> {
    const { withLinkedDataSignature, withSecurityContext } = await import('./signatures/linked-data.ts');
    const keyId = mainKeyUri(activity.actor);
    // The proof covers the context, and the signature covers the proof.
    const proven = await this.proven(accountId, withSecurityContext(activity));
    return withLinkedDataSignature(proven, { keyId, privateKey: await this.privateKey(accountId) });
  }

  async proven(
    accountId: string,
    activity: OutgoingActivity['document'],
  ): Promise<OutgoingActivity['document']> {
    const { withIntegrityProof } = await import('./signatures/integrity-proof.ts');
    const keyId = assertionKeyUri(activity.actor);
    return withIntegrityProof(activity, { keyId, privateKey: await this.#proverOf(accountId) });
  }

  async #proverOf(accountId: string): Promise<KeyObject> {
    const known = this.#provers.get(accountId);
    if (known) return known;
    const before = this.#rotations;
    const { wrapped_assertion_key } = await this.#find(accountId);
    const key = unsealedEd25519Key(this.#master, accountId, wrapped_assertion_key);
    if (before === this.#rotations) this.#provers.set(accountId, key);
    return key;
  }

  async #find(accountId: string): Promise<CompleteRow> {
    const row = await this.#read(accountId);
    if (row && isComplete(row)) return row;
    // Concurrent requests for a missing key share its creation, which is expensive.
    const making = this.#making.get(accountId) ?? (row ? this.#complete(accountId) : this.#make(accountId));
    this.#making.set(accountId, making);
    return making.finally(() => this.#making.delete(accountId));
  }

  async #make(accountId: string): Promise<CompleteRow> {
    const [rsa, ed25519] = await this.#pairsFor(accountId);
    const pairs = [rsa.publicKey, rsa.wrapped, ed25519.publicKey, ed25519.wrapped];
    await this.#db.query(INSERT, [accountId, ...pairs]);
    return this.#complete(accountId);
  }

  /** Returns the stored row, after it has both pairs. */
  async #complete(accountId: string): Promise<CompleteRow> {
    const row = await this.#read(accountId);
    if (row && isComplete(row)) return row;
    const { publicKey, wrapped } = await sealedEd25519Pair(this.#master, accountId);
    await this.#db.query(COMPLETE, [accountId, publicKey, wrapped]);
    const completed = await this.#read(accountId);
    if (!completed || !isComplete(completed)) throw new Error('The keys of an account were not stored');
    return completed;
  }

  #pairsFor(accountId: string) {
    return Promise.all([sealedRsaPair(this.#master, accountId), sealedEd25519Pair(this.#master, accountId)]);
  }

  #forget(accountId?: string): void {
    this.#rotations += 1;
    for (const cache of [this.#publicKeys, this.#provers]) {
      if (accountId === undefined) cache.clear();
      else cache.delete(accountId);
    }
    for (const listener of this.#listeners) listener(accountId);
  }

  async #read(accountId: string): Promise<Row | undefined> {
    const [row] = await this.#db.query(SELECT, [accountId]);
    return row;
  }
}

const isComplete = (row: Row): row is CompleteRow => row.assertion_key !== null;
