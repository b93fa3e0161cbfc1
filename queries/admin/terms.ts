import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { limitParameter } from '#kernel/paging.ts';
import { statement } from '#kernel/read.ts';
import { type AdminTerms, adminTermsSchema } from '#mastodon/schemas/index.ts';

const ALL = statement<AdminTerms>(
  'admin_terms',
  `select t.effective_date::text, t.effective_date <= $1::date as effective,
     (lead(t.effective_date) over (order by t.effective_date))::text as succeeded_by
   from terms_of_service t order by t.effective_date desc limit $2`,
);

export const listTerms = endpoint({
  method: 'GET',
  path: '/api/v1/admin/terms',
  summary: 'List the terms of service, the latest first, without their texts',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_settings',
  query: z.object({ limit: limitParameter(40, 200) }),
  reply: z.array(adminTermsSchema),
  handler: async ({ db, now }, { query }) => ({ json: await db.query(ALL, [now.slice(0, 10), query.limit]) }),
});

export const adminTermsQueries = [listTerms];
