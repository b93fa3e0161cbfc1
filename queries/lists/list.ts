import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type List, listSchema } from '#mastodon/schemas/index.ts';

const COLUMNS = 'l.id, l.title, l.replies_policy, l.exclusive';
const LIST = statement<List>('list', `select ${COLUMNS} from lists l where l.id = $2 and l.account_id = $1`);
const ALL = statement<List>(
  'lists_all',
  `select ${COLUMNS} from lists l where l.account_id = $1 order by l.id limit 1000`,
);
const COUNT = statement<{ count: number }>(
  'lists_count',
  'select count(*)::int as count from lists where account_id = $1 and not id = any($2::bigint[])',
);

/** Throws RookeryError `not_found` for another user's list, like for a missing one. */
export async function ownListOf(db: Db, accountId: Id, id: Id): Promise<List> {
  const [list] = await db.query(LIST, [accountId, id]);
  if (!list) throw notFound();
  return list;
}

/** Returns all lists of an account, a few dozen at most, oldest first. */
export const allListsOf = (db: Db, accountId: Id): Promise<List[]> => db.query(ALL, [accountId]);

/** Returns the number of an account's lists besides these. */
export async function countLists(db: Db, accountId: Id, besides: readonly Id[]): Promise<number> {
  const [row] = await db.query(COUNT, [accountId, besides]);
  return row?.count ?? 0;
}

/** Without pages, as in Mastodon: an account has at most a few dozen lists. */
export const listLists = endpoint({
  method: 'GET',
  path: '/api/v1/lists',
  summary: 'View your lists',
  auth: 'user',
  scopes: ['read:lists'],
  reply: z.array(listSchema),
  handler: async (ctx) => {
    return { json: await allListsOf(ctx.db, ctx.viewer.account_id) };
  },
});

export const showList = endpoint({
  method: 'GET',
  path: '/api/v1/lists/:id',
  summary: 'View one of your lists',
  auth: 'user',
  scopes: ['read:lists'],
  params: idParams,
  reply: listSchema,
  handler: async (ctx, { params }) => {
    return { json: await ownListOf(ctx.db, ctx.viewer.account_id, params.id) };
  },
});
