import type { Visibility } from '#events/accounts.ts';
import type { CommandContext, UserContext } from '#kernel/context.ts';
import { forbidden, notFound } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';
import { hasPolicy } from '../visibility/interaction-policies.ts';
import { blocks } from '../visibility/pairs.ts';
import { visibleTo } from '../visibility/statuses.ts';
import { meantFor } from './page.ts';

/** The post that an action applies to; for a reblog, the original. */
export interface TargetStatus {
  id: string;
  account_id: string;
  visibility: Visibility;
  conversation_id: string;
  /** A remote post with an interaction policy. */
  policied: boolean;
}

interface FoundTarget extends TargetStatus {
  /** The user blocks the author. */
  author_blocked: boolean;
}

const TARGET = `select s.id, s.account_id, s.visibility, s.conversation_id, ${hasPolicy('s.id')} as policied,
  ${blocks('$2::bigint', 's.account_id')} as author_blocked from statuses s`;
const VISIBLE = statement<FoundTarget>('status_target', `${TARGET} where s.id = ${meantFor('$2')}`);
/**
 * A user can undo their favourites, bookmarks and reblogs despite later blocks. They may name the post by a
 * reblog that they may see.
 */
const INTERACTED_WITH = statement<FoundTarget>(
  'status_target_touched',
  `${TARGET} where s.id = ${meantFor('$2')} or not s.deleted
     and s.id = (select coalesce(s.reblog_of_id, s.id) from statuses s join accounts a on a.id = s.account_id
       where s.id = $1 and (s.reblog_of_id is null or ${visibleTo('$2')}))
     and exists (select from interactions i where i.account_id = $2 and i.status_id = s.id
       and coalesce(i.favourite_id, i.bookmark_id, i.reblog_id, i.favourite_request_id, i.reblog_request_id) is not null)`,
);

/** Throws RookeryError `not_found` for a post that this user may not see. */
export const visibleTarget = (ctx: UserContext, statusId: string): Promise<TargetStatus> =>
  find(ctx, ctx.viewer.account_id, statusId, VISIBLE);

/**
 * Returns the target of an interaction that the author is notified of.
 * @throws RookeryError `not_found` for a post that this user may not see, `forbidden` when they block the
 * author
 */
export async function targetOpenToViewer(ctx: UserContext, statusId: string): Promise<TargetStatus> {
  const target = await find(ctx, ctx.viewer.account_id, statusId, VISIBLE);
  if (target.author_blocked) throw forbidden();
  return target;
}

/** Throws RookeryError `not_found` for a post that this account may not see. */
export const targetVisibleTo = (
  ctx: CommandContext,
  accountId: string,
  statusId: string,
): Promise<TargetStatus> => find(ctx, accountId, statusId, VISIBLE);

/**
 * For undoing. @throws RookeryError `not_found` for a post that this user may not see and never interacted
 * with
 */
export const targetViewerInteractedWith = (ctx: UserContext, statusId: string): Promise<TargetStatus> =>
  find(ctx, ctx.viewer.account_id, statusId, INTERACTED_WITH);

async function find(
  ctx: CommandContext,
  accountId: string,
  statusId: string,
  query: typeof VISIBLE,
): Promise<FoundTarget> {
  const [target] = await ctx.db.query(query, [statusId, accountId]);
  if (!target) throw notFound();
  return target;
}
