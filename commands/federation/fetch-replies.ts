import { awaitedAbove, remotePostUri, unknownPosts } from '../../queries/federation/index.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { fetchLater, MAX_ANCESTORS } from './fetch-ancestors.ts';
import { walkReplies, type ThreadAccess } from './walk-replies.ts';

/** Milliseconds; the next round looks for the rest. */
const ROUND = 5 * 60_000;

/**
 * Asks the server of a post for replies to it, and the servers of these for replies to them; what is not known here is fetched and
 * counted. Where the thread has no root here, what is above it is asked for again. May be repeated. Posts that their servers refuse are
 * left out.
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
