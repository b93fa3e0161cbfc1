import type { Visibility } from '../../src/events/accounts.ts';
import type { UserContext } from '../../src/kernel/context.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { statement } from '../../src/kernel/read.ts';
import { visibleTo } from '../visibility/statuses.ts';
import { PAGE_JOINS, pageVisibleTo } from './page.ts';

/** The post that an action is meant for: of a reblog, the one that it reblogs. */
export interface TargetStatus {
  id: string;
  account_id: string;
  visibility: Visibility;
  conversation_id: string;
}

/** Of a reblog, the reader must see both: a hidden one must not answer for what everybody sees. */
const TARGET = `
  select coalesce(o.id, s.id) as id, coalesce(o.account_id, s.account_id) as account_id,
    coalesce(o.visibility, s.visibility) as visibility, coalesce(o.conversation_id, s.conversation_id) as conversation_id
  from statuses s ${PAGE_JOINS} where s.id = $1`;
const VISIBLE = statement(
  'status_target',
  `${TARGET} and ${pageVisibleTo('$2')}`,
);
/** What the reader favourited, bookmarked or reblogged once can be undone, whoever has blocked whom since. */
const TOUCHED = statement(
  'status_target_touched',
  `${TARGET} and (${pageVisibleTo('$2')}
     or (o.id is null or ${visibleTo('$2')}) and not coalesce(o.deleted, s.deleted)
       and exists (select from interactions i where i.account_id = $2 and i.status_id = coalesce(o.id, s.id)
         and (i.favourite_id is not null or i.bookmark_id is not null or i.reblog_id is not null)))`,
);

/** @throws RookeryError `not_found` for a post that this user may not see */
export const visibleTarget = (ctx: UserContext, statusId: string): Promise<TargetStatus> =>
  find(ctx, statusId, VISIBLE);

/** For undoing. @throws RookeryError `not_found` for a post that this user neither may see nor ever touched */
export const touchedTarget = (ctx: UserContext, statusId: string): Promise<TargetStatus> =>
  find(ctx, statusId, TOUCHED);

async function find(ctx: UserContext, statusId: string, query: typeof VISIBLE): Promise<TargetStatus> {
  await ctx.settle([MAIN]);
  const [target] = await ctx.db.query<TargetStatus>(query, [statusId, ctx.viewer.account_id]);
  if (!target) throw notFound();
  return target;
}
