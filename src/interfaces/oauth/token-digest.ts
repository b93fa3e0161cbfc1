import { createHmac, timingSafeEqual } from 'node:crypto';
import { batchesOf, eachAbove } from '#kernel/batches.ts';
import type { MasterKey } from '#kernel/master-key.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';

/** The columns of a token that never change. */
export interface GrantedToken {
  /** SHA-256 of the token. */
  tokenHash: Buffer;
  applicationId: string;
  /** Null for an application's own token. */
  accountId: string | null;
  /** Separated by spaces. */
  scopes: string;
}

/**
 * Computes the keyed digest of a grant (HMAC-SHA-256), which is stored beside it: a token whose scopes or
 * account were changed in the database is not accepted.
 */
export class TokenDigests {
  readonly #keys: readonly [Buffer, ...Buffer[]];

  constructor(master: MasterKey) {
    this.#keys = master.digestKeys('accessTokens');
  }

  of(token: GrantedToken): Buffer {
    return digestOf(this.#keys[0], token);
  }

  /** Tells whether a token is as it was granted. */
  holds(token: GrantedToken, digest: Buffer | null): boolean {
    return digest?.length === 32 && this.#keys.some((key) => timingSafeEqual(digest, digestOf(key, token)));
  }

  /** Tells whether a digest was made with the present key. */
  isCurrent(token: GrantedToken, digest: Buffer | null): boolean {
    return digest?.length === 32 && timingSafeEqual(digest, this.of(token));
  }
}

const digestOf = (key: Buffer, { tokenHash, applicationId, accountId, scopes }: GrantedToken): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([tokenHash.toString('base64'), applicationId, accountId, scopes]))
    .digest();

const WITHOUT = statement<Row>(
  'tokens_without_digest',
  `select id, token_hash, application_id, account_id, scopes from durable.access_tokens
   where grant_digest is null and id > $1 order by id limit $2`,
);
const STORE = statement(
  'token_store_digests',
  `update durable.access_tokens t set grant_digest = d.digest
   from unnest($1::bigint[], $2::bytea[]) as d (id, digest) where t.id = d.id`,
);
const ALL = statement<Row>(
  'tokens_all',
  `select id, token_hash, application_id, account_id, scopes, grant_digest from durable.access_tokens
   where id > $1 order by id limit $2`,
);
/** Tokens per statement. */
const PAGE = 1_000;

interface Row {
  id: string;
  token_hash: Buffer;
  application_id: string;
  account_id: string | null;
  scopes: string;
  grant_digest?: Buffer | null;
}

export const grantedToken = (row: Omit<Row, 'id'>): GrantedToken => ({
  tokenHash: row.token_hash,
  applicationId: row.application_id,
  accountId: row.account_id,
  scopes: row.scopes,
});

/** Tells whether any token has no digest: tokens of a version before 0.2, or a change in the database. */
export const someLackDigest = async (db: Db): Promise<boolean> =>
  (await db.query(WITHOUT, [0, 1])).length > 0;

/** Stores the digests that tokens lack. */
export async function storeDigests(db: Db, digests: TokenDigests): Promise<void> {
  for await (const rows of pagesOf(db, WITHOUT)) await store(db, digests, rows);
}

/**
 * Replaces digests that a previous master key made. A token that was changed in the database keeps its digest,
 * and stays refused.
 * @returns the number of replaced digests
 */
export async function renewDigests(db: Db, digests: TokenDigests): Promise<number> {
  let count = 0;
  for await (const page of pagesOf(db, ALL)) {
    const rows = page.filter((row) => {
      const [token, digest] = [grantedToken(row), row.grant_digest ?? null];
      return digests.holds(token, digest) && !digests.isCurrent(token, digest);
    });
    if (rows.length === 0) continue;
    await store(db, digests, rows);
    count += rows.length;
  }
  return count;
}

const pagesOf = (db: Db, asked: Statement<Row>): AsyncIterable<readonly Row[]> =>
  batchesOf((after: string, limit) => db.query(asked, [after, limit]), {
    from: '0',
    cursorOf: ({ id }) => id,
    size: PAGE,
  });

async function store(db: Db, digests: TokenDigests, rows: readonly Row[]): Promise<void> {
  await db.query(STORE, [rows.map(({ id }) => id), rows.map((row) => digests.of(grantedToken(row)))]);
}

/** Returns the number of tokens that were changed in the database. */
export async function changedTokens(db: Db, digests: TokenDigests): Promise<number> {
  let count = 0;
  for await (const row of eachAbove((after, limit) => db.query(ALL, [after, limit]), PAGE)) {
    if (!digests.holds(grantedToken(row), row.grant_digest ?? null)) count += 1;
  }
  return count;
}
