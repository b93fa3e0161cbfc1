import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { BACK_BY_SINCE_ID, keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';

const DOMAINS = keysetStatement<Row>(
  'user_domain_blocks',
  (order) => `
    select b.id as cursor, b.domain from user_domain_blocks b
    where b.account_id = $1 and b.id < $2 and b.id > $3 order by b.id ${order} limit $4`,
  BACK_BY_SINCE_ID,
);

interface Row {
  cursor: string;
  domain: string;
}

export const listDomainBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/domain_blocks',
  summary: 'View the domains that you block',
  auth: 'user',
  scopes: ['read:blocks', 'follow'],
  query: z.object(pageParameters(100, 200)),
  reply: z.array(z.string()),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, DOMAINS, query, ({ cursor }) => cursor);
    return { json: rows.map(({ domain }) => domain), page };
  },
});
