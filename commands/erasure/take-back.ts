import { interactionStream } from '#events/interactions.ts';
import { type ScheduledStatusEvent, scheduledStatusStream } from '#events/scheduled-statuses.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import { forEachBelow } from '#kernel/batches.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import {
  type Favourite,
  favouritesOf,
  mediaOf,
  peopleAround,
  type Post,
  postsOf,
  scheduledOf,
} from '#queries/erasure.ts';
import { eraseMedia } from '../media/index.ts';
import { sever } from '../relationships/index.ts';
import { type ScheduledStatus, scheduledStatus } from '../scheduled-statuses/index.ts';
import {
  decideDelete,
  decideUnfavourite,
  decideUnreblog,
  interaction,
  type Status,
  status,
} from '../statuses/index.ts';

/**
 * Undoes the visible actions of an account, each in its own stream, so that counters stay right and all
 * readers of such events learn of it. May run again: it continues with the rest. The read models must contain
 * everything that the account did.
 */
export async function takeBack(ctx: CommandContext, accountId: Id, signal: AbortSignal): Promise<void> {
  const all = { signal };
  await takeBackPosts(ctx, accountId, signal);
  await forEachBelow(
    (before, limit) => favouritesOf(ctx.db, accountId, before, limit),
    (favourite) => takeBackFavourite(ctx, accountId, favourite),
    all,
  );
  await endFollows(ctx, accountId, signal);
  await forEachBelow(
    (before, limit) => scheduledOf(ctx.db, accountId, before, limit),
    ({ id }) =>
      ctx.execute(scheduledStatusStream(id), scheduledStatus, (state) => decideCall(state, accountId)),
    all,
  );
  await forEachBelow(
    (before, limit) => mediaOf(ctx.db, accountId, before, limit),
    ({ id }) => eraseMedia(ctx, id),
    all,
  );
}

/** Deletes all posts of an account and undoes its reblogs. May run again. */
const takeBackPosts = (ctx: CommandContext, accountId: Id, signal: AbortSignal): Promise<void> =>
  forEachBelow(
    (before, limit) => postsOf(ctx.db, accountId, before, limit),
    (post) => takeBackPost(ctx, accountId, post),
    { signal },
  );

/** Ends all follows of and by an account, including requests. May run again. */
const endFollows = (ctx: CommandContext, accountId: Id, signal: AbortSignal): Promise<void> =>
  forEachBelow(
    (before, limit) => peopleAround(ctx.db, accountId, before, limit),
    ({ other_id }) => sever(ctx, { account_id: accountId, target_account_id: other_id }),
    { signal },
  );

/** Deletes a post, or a reblog, which is a post as well. */
async function takeBackPost(ctx: CommandContext, accountId: Id, post: Post): Promise<void> {
  const { id, reblog_of_id: original, reblog_account_id: author } = post;
  if (original === null) {
    await ctx.execute(statusStream(id), status, (state) => decideErasePost(state, accountId));
    return;
  }
  const target = { account_id: accountId, status_id: original, status_account_id: author ?? accountId };
  await ctx.execute(interactionStream(accountId, original), interaction, (state) =>
    decideUnreblog(state, target),
  );
}

async function takeBackFavourite(
  ctx: CommandContext,
  accountId: Id,
  { id, status_id, status_account_id }: Favourite,
): Promise<void> {
  const target = { account_id: accountId, status_id, status_account_id };
  await ctx.execute(
    interactionStream(accountId, status_id),
    interaction,
    (state) => decideUnfavourite(state, target, id),
    // A reblog of the same post is in the same stream.
    { step: 'unfavourite' },
  );
}

/** Pure. */
export function decideErasePost(state: Status, accountId: Id): StatusEvent[] {
  const isThere =
    (state.state === 'visible' || state.state === 'requested') && state.data.account_id === accountId;
  return isThere ? decideDelete(state, accountId) : [];
}

/** Pure. */
export function decideCall(state: ScheduledStatus, accountId: Id): ScheduledStatusEvent[] {
  if (state.state !== 'waiting' || state.data.account_id !== accountId) return [];
  return [{ type: 'ScheduledStatusCancelled', data: { id: state.data.id, account_id: accountId } }];
}
