import type { CommandContext } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { lookupText } from '#mastodon/lookup-text.ts';
import { localActorById, namedAccounts } from '#queries/federation/index.ts';
import { knownAs, NOBODY } from './aliases.ts';

/** The target of a move, as its own server shows it now. */
export interface Successor {
  id: Id;
  /** URIs. */
  alsoKnownAs: readonly string[];
  hasMoved: boolean;
  suspended: boolean;
}

/**
 * Fetches the account of a handle or web address. Cached data is too old, because users add the alias just
 * before they move.
 * @throws RookeryError `invalid` without one
 */
export async function findSuccessor(ctx: CommandContext, typed: string): Promise<Successor> {
  const text = lookupText(typed);
  if (text === undefined) throw invalid(NOBODY);
  const id = await knownAs(ctx, text);
  const ours = id === undefined ? undefined : await localActorById(ctx.db, id);
  if (ours) {
    const { also_known_as: alsoKnownAs, moved_to, suspended } = ours;
    return { id: ours.id, alsoKnownAs, hasMoved: moved_to !== null, suspended };
  }
  // A suspended account is not fetched.
  if (id !== undefined && (await namedAccounts(ctx.db, [id])).get(id)?.suspended) {
    return { id, alsoKnownAs: [], hasMoved: false, suspended: true };
  }
  const theirs = await ctx.services.resolver.identify(text);
  if (!theirs) throw invalid(NOBODY);
  return { ...theirs, id: theirs.account, suspended: false };
}
