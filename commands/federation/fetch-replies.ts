import { awaitedAbove, remotePostUri, unknownPosts } from '../../queries/federation/index.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { fetchLater, MAX_ANCESTORS } from './fetch-ancestors.ts';

/** Asked for at once. */
const AT_ONCE = 4;

/**
 * Asks the server of a post for replies to it, and their servers for those that are not known here; counts what became known. Where the
 * thread has no root here, what is above it is asked for again. May be repeated. Posts that their servers refuse are left out.
 */
export async function fetchReplies(
  ctx: CommandContext,
  { statusId, refreshId }: { statusId: Id; refreshId: string },
  signal: AbortSignal,
): Promise<void> {
  const { resolver, asyncRefreshes } = ctx.services;
  const fetchOne = async (uri: string): Promise<void> => {
    const found = await resolver.resolve(uri);
    if (found?.status !== undefined) await asyncRefreshes.count(refreshId);
  };
  const [post, ancestor] = await Promise.all([
    remotePostUri(ctx.db, statusId),
    awaitedAbove(ctx.db, statusId),
  ]);
  if (ancestor !== undefined) await fetchLater(ctx, { uri: ancestor, left: MAX_ANCESTORS });
  const replies = post === undefined ? [] : await resolver.repliesTo(post, signal);
  const ours = `${ctx.instance.origin}/`;
  const unknown = await unknownPosts(
    ctx.db,
    replies.filter((uri) => !uri.startsWith(ours)),
  );
  for (let from = 0; from < unknown.length; from += AT_ONCE) {
    signal.throwIfAborted();
    await Promise.all(unknown.slice(from, from + AT_ONCE).map(fetchOne));
  }
  await asyncRefreshes.finish(refreshId);
}
