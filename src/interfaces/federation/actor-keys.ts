import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../kernel/lru.ts';
import { statement, type Db } from '../../kernel/read.ts';
import { unseal, seal } from '../../kernel/seal.ts';
import type { ActorPublicKeys, OutgoingActivity } from '../../kernel/services/federation.ts';
import type { Notifications } from '../../kernel/listening.ts';

/** Announces accounts whose key has changed. */
const ACTOR_KEYS_CHANNEL = 'rookery_actor_keys';

const SELECT = statement(
  'actor_keys_select',
  'select public_key, wrapped_private_key from durable.actor_keys where account_id = $1',
);
/** If two keys are created at the same time, the first one stays. */
const INSERT = statement(
  'actor_keys_insert',
  `insert into durable.actor_keys (account_id, public_key, wrapped_private_key) values ($1, $2, $3)
   on conflict (account_id) do nothing`,
);

const ROTATE = statement(
  'actor_keys_rotate',
  `with before as (
     select account_id, wrapped_private_key from durable.actor_keys where account_id = $1 for update
   ), retired as (
     insert into durable.retired_actor_keys (id, account_id, wrapped_private_key)
     select $2::bigint, account_id, wrapped_private_key from before returning account_id
   ), rotated as (
     update durable.actor_keys k set public_key = $3, wrapped_private_key = $4, created_at = now()
     from retired r where k.account_id = r.account_id returning k.account_id
   )
   select pg_notify('${ACTOR_KEYS_CHANNEL}', account_id::text) from rotated`,
);
const RETIRED = statement(
  'actor_keys_retired',
  'select account_id, wrapped_private_key from durable.retired_actor_keys where id = $1',
);

interface Row {
  public_key: string;
  wrapped_private_key: Buffer;
}

/**
 * The RSA-2048 pairs that local accounts sign with: created on first use, kept until they are rotated. The
 * private key is wrapped by the master key and bound to its account.
 */
export class ActorKeys implements ActorPublicKeys {
  readonly #db: Db;
  readonly #master: Buffer;
  readonly #publicKeys = new LRUCache<string, string>(atMost(10_000));
  readonly #making = new Map<string, Promise<Row>>();
  readonly #listeners = new Set<(accountId?: string) => void>();
  /** Counts the announced rotations: a key that was read before one must not be cached after it. */
  #rotations = 0;

  constructor(db: Db, master: Buffer) {
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

  /** SPKI, PEM. */
  async publicKey(accountId: string): Promise<string> {
    const cached = this.#publicKeys.get(accountId);
    if (cached !== undefined) return cached;
    const before = this.#rotations;
    const { public_key } = await this.#find(accountId);
    if (before === this.#rotations) this.#publicKeys.set(accountId, public_key);
    return public_key;
  }

  /**
   * Replaces the present pair, which is kept under `retiredId` for a while. @returns the new public key;
   * undefined for an account without a key
   */
  async rotate(accountId: string, retiredId: string): Promise<string | undefined> {
    const { publicKey, wrapped } = await this.#pairFor(accountId);
    const rotated = await this.#db.query(ROTATE, [accountId, retiredId, publicKey, wrapped]);
    if (rotated.length === 0) return undefined;
    this.#forget(accountId);
    return publicKey;
  }

  /** PKCS#8, DER; undefined when it is no longer kept. */
  async retiredKey(retiredId: string): Promise<Buffer | undefined> {
    const [row] = await this.#db.query<Row & { account_id: string }>(RETIRED, [retiredId]);
    return row && unseal(this.#master, row.wrapped_private_key, ownerOf(row.account_id));
  }

  /** PKCS#8, DER. */
  async privateKey(accountId: string): Promise<Buffer> {
    const { wrapped_private_key } = await this.#find(accountId);
    return unseal(this.#master, wrapped_private_key, ownerOf(accountId));
  }

  async signed(
    accountId: string,
    activity: OutgoingActivity['document'],
  ): Promise<OutgoingActivity['document']> {
    const { withLinkedDataSignature } = await import('./signatures/linked-data.ts');
    const keyId = `${activity.actor}#main-key`;
    return withLinkedDataSignature(activity, { keyId, privateKey: await this.privateKey(accountId) });
  }

  async #find(accountId: string): Promise<Row> {
    const row = await this.#read(accountId);
    if (row) return row;
    // Concurrent requests for a missing key share its creation, which is expensive.
    const making = this.#making.get(accountId) ?? this.#make(accountId);
    this.#making.set(accountId, making);
    return making.finally(() => this.#making.delete(accountId));
  }

  async #make(accountId: string): Promise<Row> {
    const { publicKey, wrapped } = await this.#pairFor(accountId);
    await this.#db.query(INSERT, [accountId, publicKey, wrapped]);
    const row = await this.#read(accountId);
    if (!row) throw new Error('The keys of an account were not stored');
    return row;
  }

  async #pairFor(accountId: string): Promise<{ publicKey: string; wrapped: Buffer }> {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    });
    return { publicKey, wrapped: seal(this.#master, privateKey, ownerOf(accountId)) };
  }

  #forget(accountId?: string): void {
    this.#rotations += 1;
    if (accountId === undefined) this.#publicKeys.clear();
    else this.#publicKeys.delete(accountId);
    for (const listener of this.#listeners) listener(accountId);
  }

  async #read(accountId: string): Promise<Row | undefined> {
    const [row] = await this.#db.query<Row>(SELECT, [accountId]);
    return row;
  }
}

const ownerOf = (accountId: string): string => `actor-key/${accountId}`;
