import type { RequestContext } from '#kernel/context.ts';
import { cardAuthors } from '../entities/card-authors.ts';
import type { StatusWithInner } from '../entities/status.ts';
import { collectionsLinkedBy } from './tagged-collections.ts';

/** Returns the entities that statuses refer to. */
export async function referredBy(
  ctx: RequestContext,
  found: readonly (StatusWithInner | undefined)[],
): Promise<{ collections: ReadonlyMap<string, string>; authors: ReadonlyMap<string, string> }> {
  const shown = found.flatMap((each) => [each?.status, each?.reblog, each?.quoted]);
  const writers = shown.map((status) => status?.shared.card_author?.id);
  const [collections, authors] = await Promise.all([
    collectionsLinkedBy(ctx, found),
    cardAuthors(ctx, writers),
  ]);
  return { collections, authors };
}
