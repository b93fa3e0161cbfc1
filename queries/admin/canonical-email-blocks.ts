import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type AdminCanonicalEmailBlock, adminCanonicalEmailBlockSchema } from '#mastodon/schemas/index.ts';

const BLOCKS = keysetStatement<AdminCanonicalEmailBlock>(
  'canonical_email_blocks',
  (order) => `
    select id, canonical_email_hash from canonical_email_blocks
    where $1::bigint is not null and id < $2 and id > $3 order by id ${order} limit $4`,
);
const BLOCK = statement<AdminCanonicalEmailBlock>(
  'canonical_email_block',
  'select id, canonical_email_hash from canonical_email_blocks where id = $1 or canonical_email_hash = $2',
);
type Key = { id?: string; hash?: string };

/** Returns the block with an id or a hash, or an empty list. */
export const canonicalEmailBlocksOf = (db: Db, { id, hash }: Key): Promise<AdminCanonicalEmailBlock[]> =>
  db.query(BLOCK, [id ?? null, hash ?? null]);

/** Throws RookeryError `not_found`. */
export async function canonicalEmailBlockOf(db: Db, key: Key): Promise<AdminCanonicalEmailBlock> {
  const [row] = await canonicalEmailBlocksOf(db, key);
  if (!row) throw notFound();
  return row;
}

const staff = {
  auth: 'user',
  scopes: ['admin:read:canonical_email_blocks'],
  permission: 'manage_blocks',
} as const;

export const listCanonicalEmailBlocks = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/canonical_email_blocks',
  summary: 'List all canonical email blocks',
  query: z.object(pageParameters(100, 200)),
  reply: z.array(adminCanonicalEmailBlockSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, BLOCKS, query, ({ id }) => id);
    return { json: rows, page };
  },
});

export const showCanonicalEmailBlock = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/canonical_email_blocks/:id',
  summary: 'Show a single canonical email block',
  params: idParams,
  reply: adminCanonicalEmailBlockSchema,
  handler: async (ctx, { params: { id } }) => {
    return { json: await canonicalEmailBlockOf(ctx.db, { id }) };
  },
});

export const adminCanonicalEmailBlockQueries = [listCanonicalEmailBlocks, showCanonicalEmailBlock];
