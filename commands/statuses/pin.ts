import { type StatusEvent, statusStream } from '#events/statuses.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import { MAX_PINNED } from '#mastodon/limits.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { ofShownStatus, pinnedCount, statusText, visibleTarget } from '#queries/statuses/index.ts';
import { countQuota, executeWithinQuota, type Quota } from '../quotas/index.ts';
import { type Status, status } from './status.ts';

const pinEndpoint = {
  method: 'POST',
  auth: 'user',
  scopes: ['write:accounts'],
  ...ofShownStatus,
  reply: statusSchema,
} as const;

export const pinStatus = endpoint({
  ...pinEndpoint,
  path: '/api/v1/statuses/:id/pin',
  summary: 'Pin a status to the profile',
  handler: async (ctx, { params: { id } }) => {
    await visibleTarget(ctx, id);
    const command = { accountId: ctx.viewer.account_id, pinId: ctx.newId() };
    await executeWithinQuota(ctx, {
      stream: statusStream(id),
      decider: status,
      decide: (state) => decidePin(state, command),
      quota: pinQuota(ctx.db, command.accountId),
    });
    return { text: await statusText(ctx, id) };
  },
});

export const unpinStatus = endpoint({
  ...pinEndpoint,
  path: '/api/v1/statuses/:id/unpin',
  summary: 'Unpin a status from the profile',
  handler: async (ctx, { params: { id } }) => {
    await visibleTarget(ctx, id);
    await ctx.execute(statusStream(id), status, (state) => decideUnpin(state, ctx.viewer.account_id));
    return { text: await statusText(ctx, id) };
  },
});

/** Pins only the user's own posts, and no direct ones. Pure. @throws RookeryError `invalid` */
export function decidePin(state: Status, command: { accountId: string; pinId: string }): StatusEvent[] {
  const { id, account_id, visibility } = postIn(state);
  const problems = [
    ...(account_id === command.accountId ? [] : ["Someone else's post cannot be pinned"]),
    ...(visibility === 'direct' ? ['Posts that are only visible to mentioned users cannot be pinned'] : []),
  ];
  if (problems.length > 0) throw invalid(`Validation failed: ${problems.join(', ')}`);
  if (state.state !== 'none' && state.pinned) return [];
  return [{ type: 'StatusPinned', data: { id, account_id, pin_id: command.pinId } }];
}

/** Deleted posts do not count. */
export const pinQuota = (db: Db, ownerId: string): Quota<Status, number> =>
  countQuota({
    name: 'pinned-statuses',
    ownerId,
    added: (before, after) => (pinnedId(before) === undefined ? pinnedId(after) : undefined),
    besides: (ids) => pinnedCount(db, ownerId, ids),
    check: checkPinLimit,
  });

const pinnedId = (state: Status): string | undefined =>
  state.state !== 'none' && state.pinned ? state.data.id : undefined;

/** @throws RookeryError `invalid` past the limit */
export function checkPinLimit(pinned: number): void {
  if (pinned > MAX_PINNED) {
    throw invalid('Validation failed: You have already pinned the maximum number of posts');
  }
}

/**
 * Ignores a post that this account has not pinned, as in Mastodon. @throws RookeryError `invalid`,
 * `not_found`
 */
export function decideUnpin(state: Status, accountId: string): StatusEvent[] {
  const { id, account_id } = postIn(state);
  const pinned = state.state !== 'none' && state.pinned && account_id === accountId;
  return pinned ? [{ type: 'StatusUnpinned', data: { id, account_id } }] : [];
}

function postIn(state: Status) {
  // A reblog has no stream of its own.
  if (state.state === 'none') throw invalid('Validation failed: A boost cannot be pinned');
  if (state.state === 'deleted') throw notFound();
  return state.data;
}
