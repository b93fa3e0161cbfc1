import { remotePostUri, unknownPosts } from '../../queries/federation/index.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** Asked for at once. */
const AT_ONCE = 4;

/**
 * Asks the server of a post for replies to it, and their servers for those that are not known here; counts what became known. May be
 * repeated. What somebody refuses is left out.
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
  const post = await remotePostUri(ctx.db, statusId);
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
