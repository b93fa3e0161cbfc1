import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { awaitedAbove, remotePostUri, unknownPosts } from '#queries/federation/index.ts';
import { fetchLater, MAX_ANCESTORS } from './fetch-ancestors.ts';
import { type ThreadAccess, walkReplies } from './walk-replies.ts';

/** Milliseconds; the next round fetches the rest. */
const ROUND = 5 * 60_000;

/**
 * Asks the server of a post for replies to it, and the servers of these for replies to them. Fetches and
 * counts unknown ones. When the thread has no root here, the posts above are requested again. May run again.
 * Skips posts that their servers refuse.
 */
export async function fetchReplies(
  ctx: CommandContext,
  { statusId, refreshId }: { statusId: Id; refreshId: string },
  signal: AbortSignal,
): Promise<void> {
  const { resolver, asyncRefreshes } = ctx.services;
  const [post, ancestor] = await Promise.all([
    remotePostUri(ctx.db, statusId),
    awaitedAbove(ctx.db, statusId),
  ]);
  if (ancestor !== undefined) await fetchLater(ctx, { uri: ancestor, left: MAX_ANCESTORS });
  const ours = `${ctx.instance.origin}/`;
  const round = AbortSignal.timeout(ROUND);
  const access: ThreadAccess = {
    async repliesTo(uri) {
      signal.throwIfAborted();
      const { uris, requests } = await resolver.repliesTo(uri, signal);
      return { uris: uris.filter((reply) => !reply.startsWith(ours)), requests };
    },
    unknown: (uris) => unknownPosts(ctx.db, uris),
    async fetch(uri) {
      signal.throwIfAborted();
      const found = await resolver.resolve(uri);
      if (found?.status === undefined) return false;
      await asyncRefreshes.count(refreshId);
      return true;
    },
    isOver: () => round.aborted,
  };
  if (post !== undefined) await walkReplies(post, access);
  await asyncRefreshes.finish(refreshId);
}
