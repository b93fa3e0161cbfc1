import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { LRUCache } from 'lru-cache';
import { atMost } from '../kernel/lru.ts';
import { statement, type Db } from '../kernel/read.ts';
import { unwrap, wrap } from '../kernel/wrap.ts';

const SELECT = statement(
  'actor_keys_select',
  'select public_key, wrapped_private_key from durable.actor_keys where account_id = $1',
);
/** Of two that are made at once, the first one stays. */
const INSERT = statement(
  'actor_keys_insert',
  `insert into durable.actor_keys (account_id, public_key, wrapped_private_key) values ($1, $2, $3)
   on conflict (account_id) do nothing`,
);

interface Row {
  public_key: string;
  wrapped_private_key: Buffer;
}

/**
 * The RSA-2048 pairs that accounts of this server sign with: made when first asked for, kept for ever, the private one
 * wrapped by the master key and bound to its account.
 */
export class ActorKeys {
  readonly #db: Db;
  readonly #master: Buffer;
  readonly #publicKeys = new LRUCache<string, string>(atMost(10_000));
  readonly #making = new Map<string, Promise<Row>>();

  constructor(db: Db, master: Buffer) {
    this.#db = db;
    this.#master = master;
  }

  /** SPKI, PEM. */
  async publicKey(accountId: string): Promise<string> {
    const cached = this.#publicKeys.get(accountId);
    if (cached !== undefined) return cached;
    const { public_key } = await this.#find(accountId);
    this.#publicKeys.set(accountId, public_key);
    return public_key;
  }

  /** PKCS#8, DER. */
  async privateKey(accountId: string): Promise<Buffer> {
    const { wrapped_private_key } = await this.#find(accountId);
    return unwrap(this.#master, wrapped_private_key, ownerOf(accountId));
  }

  async #find(accountId: string): Promise<Row> {
    const row = await this.#read(accountId);
    if (row) return row;
    // Many may ask at once for one that is not there yet; making it is work.
    const making = this.#making.get(accountId) ?? this.#make(accountId);
    this.#making.set(accountId, making);
    return making.finally(() => this.#making.delete(accountId));
  }

  async #make(accountId: string): Promise<Row> {
    const pair = await promisify(generateKeyPair)('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    });
    const wrapped = wrap(this.#master, pair.privateKey, ownerOf(accountId));
    await this.#db.query(INSERT, [accountId, pair.publicKey, wrapped]);
    const row = await this.#read(accountId);
    if (!row) throw new Error('The keys of an account were not stored');
    return row;
  }

  async #read(accountId: string): Promise<Row | undefined> {
    const [row] = await this.#db.query<Row>(SELECT, [accountId]);
    return row;
  }
}

const ownerOf = (accountId: string): string => `actor-key/${accountId}`;
