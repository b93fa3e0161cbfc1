import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { type AdminDomainBlock, adminDomainBlockSchema } from '#mastodon/schemas/index.ts';
import { BLOCK_COLUMNS, domainBlockOf } from './blocks.ts';

const BLOCKS = keysetStatement<AdminDomainBlock>(
  'domain_blocks',
  (order) => `
    select ${BLOCK_COLUMNS} from domain_blocks b
    where $1::bigint is not null and b.id < $2 and b.id > $3
      and ($5::text is null or position($5 in b.domain) > 0) order by b.id ${order} limit $4`,
);

const staff = {
  auth: 'user',
  scopes: ['admin:read:domain_blocks'],
  permission: 'manage_federation',
} as const;

export const listDomainBlocks = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/domain_blocks',
  summary: 'List all blocked domains',
  query: z.object({
    domain: z
      .string()
      .max(500)
      .transform((text) => text.trim().toLowerCase() || null)
      .nullish()
      .describe('Only domains that contain this text.'),
    ...pageParameters(100, 200),
  }),
  reply: z.array(adminDomainBlockSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, BLOCKS, query, ({ id }) => id, [query.domain ?? null]);
    return { json: rows, page };
  },
});

export const showDomainBlock = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/domain_blocks/:id',
  summary: 'Get a single blocked domain',
  params: idParams,
  reply: adminDomainBlockSchema,
  handler: async (ctx, { params: { id } }) => {
    return { json: await domainBlockOf(ctx.db, { id }) };
  },
});
