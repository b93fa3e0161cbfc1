import { hkdfSync } from 'node:crypto';
import { seal, unseal } from './seal.ts';

/** A column of the schema `durable` that the master key encrypts, or a key that derives from it. */
export interface SealedColumn {
  table: string;
  /** The column that identifies a row, and its type. */
  id: string;
  type: 'bigint' | 'text';
  column: string;
  /** Names the derived key; undefined for the master key itself. */
  purpose?: string;
  /** Binds a value to its row: a text, followed by the value of this column. */
  owner?: { prefix: string; column: string };
}

/**
 * Everything that the master key encrypts. A replaced master key encrypts these again, in this order: the
 * keys of the users come first, because a process compares its master key with the first one of them.
 */
export const SEALED_COLUMNS = {
  subjectKeys: { table: 'subject_keys', id: 'subject', type: 'text', column: 'wrapped' },
  actorKeys: {
    table: 'actor_keys',
    id: 'account_id',
    type: 'bigint',
    column: 'wrapped_private_key',
    owner: { prefix: 'actor-key/', column: 'account_id' },
  },
  assertionKeys: {
    table: 'actor_keys',
    id: 'account_id',
    type: 'bigint',
    column: 'wrapped_assertion_key',
    owner: { prefix: 'actor-assertion-key/', column: 'account_id' },
  },
  retiredActorKeys: {
    table: 'retired_actor_keys',
    id: 'id',
    type: 'bigint',
    column: 'wrapped_private_key',
    owner: { prefix: 'actor-key/', column: 'account_id' },
  },
  pushSecrets: {
    table: 'push_subscriptions',
    id: 'id',
    type: 'bigint',
    column: 'secrets',
    purpose: 'rookery push secrets',
  },
  archives: {
    table: 'archives',
    id: 'id',
    type: 'bigint',
    column: 'secret',
    purpose: 'rookery archives',
    owner: { prefix: '', column: 'id' },
  },
} as const satisfies Record<string, SealedColumn>;
export type Sealed = keyof typeof SEALED_COLUMNS;

/** Names the key of backups. Those of a former master key need the former key file. */
const BACKUPS = 'rookery backups';

/**
 * Keys of digests that derive from the present master key. A replaced master key computes the digests of
 * access tokens again. Nothing in this server verifies a franking.
 */
const DIGEST_PURPOSES = {
  accessTokens: 'rookery access tokens',
  messageFranking: 'rookery message franking',
} as const;

/**
 * Keys that derive from the first master key and outlive it: digests in the log cannot be computed again,
 * auditors know the key of the checkpoints, and Redis and archives have names with the distinction.
 */
const KEPT_PURPOSES = {
  email_digest: { purpose: 'rookery email digest', bytes: 32 },
  address_digest: { purpose: 'rookery ip digest', bytes: 32 },
  checkpoints: { purpose: 'rookery log checkpoints', bytes: 32 },
  distinction: { purpose: 'rookery distinction', bytes: 8 },
} as const;
export type KeptKeys = Record<keyof typeof KEPT_PURPOSES, Buffer>;

/** Encrypts and decrypts the values of one column. `owner` is the value of the column that binds them. */
export interface SealingBox {
  seal(secret: Buffer, owner?: string): Buffer;
  /** @throws when another key or another owner sealed it, or it was changed */
  unseal(sealed: Buffer, owner?: string): Buffer;
  /** Tells whether `unseal` returns. */
  opens(sealed: Buffer, owner?: string): boolean;
  /** Tells whether the present master key sealed it. */
  isCurrent(sealed: Buffer, owner?: string): boolean;
}

/**
 * The master key, and those before it that are still kept. The present one encrypts; all of them decrypt.
 * The bytes stay inside: a use needs an entry above, so that replacing the key forgets none.
 */
export class MasterKey {
  readonly #keys: readonly [Buffer, ...Buffer[]];
  /** Tells keys apart, and reveals nothing else: 16 hexadecimal digits. */
  readonly id: string;

  /** Takes keys of 32 bytes each. */
  constructor(current: Buffer, previous: readonly Buffer[] = []) {
    this.#keys = [current, ...previous];
    this.id = derive(current, 'rookery master key id', 8).toString('hex');
  }

  box(name: Sealed): SealingBox {
    const { purpose, owner }: SealedColumn = SEALED_COLUMNS[name];
    return this.#boxOf(purpose, owner?.prefix);
  }

  /** Encrypts what a backup has of the database; each value is bound to the name of its file. */
  backupBox(): SealingBox {
    return this.#boxOf(BACKUPS, '');
  }

  /** @param prefix stands before the owner of each value; undefined for values that are bound to none */
  #boxOf(purpose: string | undefined, prefix: string | undefined): SealingBox {
    const keys = this.#keys.map((key) => (purpose === undefined ? key : derive(key, purpose)));
    const [current = Buffer.alloc(0)] = keys;
    const bound = (id = ''): string => (prefix === undefined ? '' : `${prefix}${id}`);
    return {
      seal: (secret, id) => seal(current, secret, bound(id)),
      unseal: (sealed, id) => unsealWithAny(keys, sealed, bound(id)),
      opens: (sealed, id) => keys.some((key) => opens(key, sealed, bound(id))),
      isCurrent: (sealed, id) => opens(current, sealed, bound(id)),
    };
  }

  /** Returns the keys of a digest: the present one first. */
  digestKeys(name: keyof typeof DIGEST_PURPOSES): readonly [Buffer, ...Buffer[]] {
    const [current, ...previous] = this.#keys;
    const of = (key: Buffer): Buffer => derive(key, DIGEST_PURPOSES[name]);
    return [of(current), ...previous.map(of)];
  }
}

/** Derives the keys that a server keeps when its first master key is replaced. */
export function keptKeys(master: Buffer): KeptKeys {
  const of = (name: keyof KeptKeys): Buffer =>
    derive(master, KEPT_PURPOSES[name].purpose, KEPT_PURPOSES[name].bytes);
  return {
    email_digest: of('email_digest'),
    address_digest: of('address_digest'),
    checkpoints: of('checkpoints'),
    distinction: of('distinction'),
  };
}

const derive = (master: Buffer, purpose: string, bytes = 32): Buffer =>
  Buffer.from(hkdfSync('sha256', master, '', purpose, bytes));

function unsealWithAny(keys: readonly Buffer[], sealed: Buffer, owner: string): Buffer {
  const earlier = keys.slice(0, -1).find((key) => opens(key, sealed, owner));
  return unseal(earlier ?? keys.at(-1) ?? Buffer.alloc(0), sealed, owner);
}

function opens(key: Buffer, sealed: Buffer, owner: string): boolean {
  try {
    unseal(key, sealed, owner);
    return true;
  } catch {
    return false;
  }
}
