import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { type AdminIpBlock, adminIpBlockSchema } from '#mastodon/schemas/index.ts';
import { IP_BLOCK_COLUMNS, ipBlockOf } from './blocks.ts';

const BLOCKS = keysetStatement<AdminIpBlock>(
  'ip_blocks',
  (order) => `
    select ${IP_BLOCK_COLUMNS} from ip_blocks b
    where $1::bigint is not null and b.id < $2 and b.id > $3 order by b.id ${order} limit $4`,
);

const staff = { auth: 'user', scopes: ['admin:read:ip_blocks'], permission: 'manage_blocks' } as const;

export const listIpBlocks = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/ip_blocks',
  summary: 'List all IP blocks',
  query: z.object(pageParameters(100, 200)),
  reply: z.array(adminIpBlockSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, BLOCKS, query, ({ id }) => id);
    return { json: rows, page };
  },
});

export const showIpBlock = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/ip_blocks/:id',
  summary: 'Get a single IP block',
  params: idParams,
  reply: adminIpBlockSchema,
  handler: async (ctx, { params: { id } }) => {
    return { json: await ipBlockOf(ctx.db, { id }) };
  },
});
