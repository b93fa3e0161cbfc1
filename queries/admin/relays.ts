import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type AdminRelay, adminRelaySchema } from '#mastodon/schemas/index.ts';

const COLUMNS = 'id, inbox_url, actor_url, state, created_at';
const RELAYS = keysetStatement<AdminRelay>(
  'relays',
  (order) => `
    select ${COLUMNS} from relays
    where $1::bigint is not null and id < $2 and id > $3 order by id ${order} limit $4`,
);
const RELAY = statement<AdminRelay>('relay', `select ${COLUMNS} from relays where id = $1`);
const COUNT = statement<{ count: number }>(
  'relays_count',
  'select count(*)::int as count from relays where id <> all($1::bigint[])',
);
const ABOVE = statement<AdminRelay>(
  'relays_above',
  `select ${COLUMNS} from relays where id > $1 order by id limit $2`,
);

/** Throws RookeryError `not_found`. */
export async function relayOf(db: Db, id: Id): Promise<AdminRelay> {
  const [row] = await db.query(RELAY, [id]);
  if (!row) throw notFound();
  return row;
}

/** Returns the number of relays besides these. */
export const countRelays = async (db: Db, ids: readonly Id[]): Promise<number> =>
  (await db.query(COUNT, [ids]))[0]?.count ?? 0;

/** Returns the relays with ids above `after`, oldest first. */
export const relaysAbove = (db: Db, after: Id, limit: number): Promise<AdminRelay[]> =>
  db.query(ABOVE, [after, limit]);

const staff = {
  auth: 'user',
  scopes: ['admin:read:domain_allows'],
  permission: 'manage_federation',
} as const;

export const listRelays = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/relays',
  summary: 'List all relays',
  query: z.object(pageParameters(100, 200)),
  reply: z.array(adminRelaySchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, RELAYS, query, ({ id }) => id);
    return { json: rows, page };
  },
});

export const showRelay = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/relays/:id',
  summary: 'Get a single relay',
  params: idParams,
  reply: adminRelaySchema,
  handler: async (ctx, { params: { id } }) => {
    return { json: await relayOf(ctx.db, id) };
  },
});

export const adminRelayQueries = [listRelays, showRelay];
