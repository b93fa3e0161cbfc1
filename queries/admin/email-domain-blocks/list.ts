import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type AdminEmailDomainBlock, adminEmailDomainBlockSchema } from '#mastodon/schemas/index.ts';
import { historyOf } from '#queries/entities/history.ts';

/** The refused sign-ups of the last days: attempts, and different mailboxes. */
const HISTORY = historyOf(`(
  select day, count(*) as accounts, sum(attempts) as uses from durable.refused_sign_ups
  where domain = b.domain group by day) u on u.day = d.day`);
const COLUMNS = `b.id, b.domain, b.created_at, ${HISTORY} as history, b.allow_with_approval`;
const BLOCKS = keysetStatement<AdminEmailDomainBlock>(
  'email_domain_blocks',
  (order) => `
    select ${COLUMNS} from email_domain_blocks b
    where $1::bigint is not null and id < $2 and id > $3 order by id ${order} limit $4`,
);
const BLOCK = statement<AdminEmailDomainBlock>(
  'email_domain_block',
  `select ${COLUMNS} from email_domain_blocks b where id = $1 or domain = $2`,
);

const ABOVE = statement<{ id: string; domain: string }>(
  'email_domain_blocks_above',
  'select id, domain from email_domain_blocks where id > $1 order by id limit $2',
);

/** Returns the blocked domains with ids above `after`, oldest first. */
export const emailDomainBlocksAbove = (
  db: Db,
  after: Id,
  limit: number,
): Promise<{ id: Id; domain: string }[]> => db.query(ABOVE, [after, limit]);

/** Finds a block by its id or its canonical domain. @throws RookeryError `not_found` */
export async function emailDomainBlockOf(
  db: Db,
  { id, domain }: { id?: string; domain?: string },
): Promise<AdminEmailDomainBlock> {
  const [row] = await db.query(BLOCK, [id ?? null, domain ?? null]);
  if (!row) throw notFound();
  return row;
}

const staff = {
  auth: 'user',
  scopes: ['admin:read:email_domain_blocks'],
  permission: 'manage_blocks',
} as const;

export const listEmailDomainBlocks = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/email_domain_blocks',
  summary: 'List all blocked email domains',
  query: z.object(pageParameters(100, 200)),
  reply: z.array(adminEmailDomainBlockSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, BLOCKS, query, ({ id }) => id);
    return { json: rows, page };
  },
});

export const showEmailDomainBlock = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/email_domain_blocks/:id',
  summary: 'Get a single blocked email domain',
  params: idParams,
  reply: adminEmailDomainBlockSchema,
  handler: async (ctx, { params: { id } }) => {
    return { json: await emailDomainBlockOf(ctx.db, { id }) };
  },
});
