import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type AdminDomainAllow, adminDomainAllowSchema } from '#mastodon/schemas/index.ts';

const ALLOWS = keysetStatement<AdminDomainAllow>(
  'domain_allows',
  (order) => `
    select id, domain, created_at from domain_allows
    where $1::bigint is not null and id < $2 and id > $3 order by id ${order} limit $4`,
);
const ALLOW = statement<AdminDomainAllow>(
  'domain_allow',
  'select id, domain, created_at from domain_allows where id = $1 or domain = $2',
);

const ABOVE = statement<{ id: string; domain: string }>(
  'domain_allows_above',
  'select id, domain from domain_allows where id > $1 order by id limit $2',
);

/** Returns the allowed domains with ids above `after`, oldest first. */
export const domainAllowsAbove = (db: Db, after: Id, limit: number): Promise<{ id: Id; domain: string }[]> =>
  db.query(ABOVE, [after, limit]);

/** Finds an allow by its id or its canonical domain. @throws RookeryError `not_found` */
export async function domainAllowOf(
  db: Db,
  { id, domain }: { id?: string; domain?: string },
): Promise<AdminDomainAllow> {
  const [row] = await db.query(ALLOW, [id ?? null, domain ?? null]);
  if (!row) throw notFound();
  return row;
}

const staff = {
  auth: 'user',
  scopes: ['admin:read:domain_allows'],
  permission: 'manage_federation',
} as const;

export const listDomainAllows = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/domain_allows',
  summary: 'List all allowed domains',
  query: z.object(pageParameters(100, 200)),
  reply: z.array(adminDomainAllowSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, ALLOWS, query, ({ id }) => id);
    return { json: rows, page };
  },
});

export const showDomainAllow = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/domain_allows/:id',
  summary: 'Get a single allowed domain',
  params: idParams,
  reply: adminDomainAllowSchema,
  handler: async (ctx, { params: { id } }) => {
    return { json: await domainAllowOf(ctx.db, { id }) };
  },
});

export const adminDomainAllowQueries = [listDomainAllows, showDomainAllow];
