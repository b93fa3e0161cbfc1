import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { limitParameter } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { DOWN_AFTER } from '#kernel/services/federation.ts';
import { type AdminHost, adminHostSchema } from '#mastodon/schemas/index.ts';

const STATES = ['new', 'up', 'failing', 'down'] as const;
const MAX_DELIVERIES = 100;
const STATE = `case when h.failures >= ${DOWN_AFTER} then 'down' when h.failures > 0 then 'failing' when h.host is null then 'new' else 'up' end`;
const COLUMNS = `coalesce(h.host, q.host) as host, ${STATE} as state, coalesce(q.queued, 0)::int as queued,
  coalesce(q.retrying, 0)::int as retrying, coalesce(h.delivered, 0)::float8 as delivered,
  coalesce(h.refused, 0)::float8 as refused, coalesce(h.failed, 0)::float8 as failed, h.last_success_at,
  h.last_failure_at, h.last_failure, h.down_since, h.retry_at, h.average_ms`;
const queue = (which: string): string =>
  `(select host, count(*) as queued, count(*) filter (where attempts > 0) as retrying
    from durable.federation_deliveries ${which} group by host)`;

/** `$3` names the order; hosts in trouble come first in the usual one. */
const HOSTS = statement<AdminHost>(
  'admin_hosts',
  `select ${COLUMNS} from durable.federation_hosts h full join ${queue('')} q on q.host = h.host
   where ($1::text is null or ${STATE} = $1)
     and ($2::text is null or strpos(lower(coalesce(h.host, q.host)), lower($2)) > 0)
   order by case when $3 = 'slow' then h.average_ms end desc nulls last,
     case when $3 = 'queued' then coalesce(q.queued, 0) end desc nulls last,
     case when $3 = 'trouble' then coalesce(h.failures, 0) end desc nulls last,
     coalesce(q.queued, 0) desc, coalesce(h.host, q.host) limit $4`,
);
const HOST = statement<AdminHost>(
  'admin_host',
  `select ${COLUMNS} from (select * from durable.federation_hosts where host = $1) h
   full join ${queue('where host = $1')} q on q.host = h.host`,
);
const DELIVERIES = statement<NonNullable<AdminHost['deliveries']>[number]>(
  'admin_host_deliveries',
  `select d.inbox, coalesce(a.document::jsonb ->> 'type', '') as type, a.actor, d.attempts, a.created_at as queued_at,
     d.due_at, coalesce(d.leased_until > now(), false) as sending
   from durable.federation_deliveries d join durable.federation_activities a on a.id = d.activity_id
   where d.host = $1 order by d.activity_id, d.inbox limit ${MAX_DELIVERIES}`,
);

/** The state of an exchange is no read model. */
const staff = { auth: 'user', scopes: ['admin:read'], permission: 'view_devops', reads: [] } as const;

export const hostParams = z.object({
  host: z.string().max(300).describe('The name of the server, with its port if it has one.'),
});

/** Returns a server that gets or got deliveries. @throws RookeryError `not_found` */
export async function adminHost(db: Db, host: string): Promise<AdminHost> {
  const [row] = host.includes('\0') ? [] : await db.query(HOST, [host]);
  if (!row) throw notFound();
  return row;
}

/** The reply of one server, with the oldest deliveries that wait for it. */
export async function hostReply(db: Db, host: string): Promise<{ json: AdminHost }> {
  const text = host.replaceAll('\0', '');
  const [found, deliveries] = await Promise.all([adminHost(db, host), db.query(DELIVERIES, [text])]);
  return { json: { ...found, deliveries } };
}

export const listHosts = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/federation/hosts',
  summary: 'List the servers that get deliveries, with what waits for them and how they answer',
  query: z.object({
    state: z.enum(STATES).optional().describe('Only servers in this state.'),
    q: z.string().max(300).optional().describe('Only servers whose names contain this.'),
    order: z
      .enum(['trouble', 'queued', 'slow'])
      .default('trouble')
      .describe('Which come first: those that fail, those with the longest queue, or the slowest.'),
    limit: limitParameter(100, 200),
  }),
  reply: z.array(adminHostSchema),
  handler: async ({ db }, { query: { state, q, order, limit } }) => {
    const name = q?.replaceAll('\0', '').trim();
    return { json: await db.query(HOSTS, [state ?? null, name || null, order, limit]) };
  },
});

export const showHost = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/federation/hosts/:host',
  summary: 'Get a single server, with the oldest deliveries that wait for it',
  params: hostParams,
  reply: adminHostSchema,
  handler: ({ db }, { params: { host } }) => hostReply(db, host),
});

export const adminHostQueries = [listHosts, showHost];
