import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { lookupText } from '#mastodon/lookup-text.ts';
import { accountIdOfHandle } from '#queries/accounts/index.ts';
import { namedAccounts } from '#queries/federation/index.ts';
import { findKnown } from '#queries/search/index.ts';
import { useCase } from '../use-case.ts';
import { type Account, account, requireUser } from './account.ts';

/** Other servers read the whole list whenever they fetch the account. */
export const MAX_ALIASES = 10;

export const NOBODY =
  'No such account was found. Its server may be down, or have nothing to do with this one.';

interface AliasInput {
  accountId: Id;
  text: string;
}

/**
 * Declares another account an alias of this one, so that it can move here with its followers. `text` is its
 * handle or web address; an unknown one is fetched from its server.
 * @throws RookeryError `invalid` for a missing or suspended account, the account itself, and past
 * `MAX_ALIASES`
 */
export const addAlias = useCase({
  prepare: async (ctx, { accountId, text }: AliasInput) => {
    const id = (await ctx.services.resolver.resolve(text))?.account;
    const other = id === undefined ? undefined : (await namedAccounts(ctx.db, [id])).get(id);
    if (!other || other.suspended) throw invalid(NOBODY);
    return { accountId, other };
  },
  stream: ({ accountId }) => accountStream(accountId),
  decider: account,
  decide: (state, { other }) => decideAddAlias(state, other),
});

/**
 * Removes an alias. `text` is its URI, or the handle or web address of a known account.
 * @throws RookeryError `invalid` for an account that is no alias
 */
export const removeAlias = useCase({
  prepare: async (ctx, { accountId, text }: AliasInput) => {
    const query = lookupText(text);
    const id = query === undefined ? undefined : await knownAs(ctx, query);
    const known = id === undefined ? undefined : (await namedAccounts(ctx.db, [id])).get(id);
    return { accountId, uris: [text, ...(known ? [known.uri] : [])] };
  },
  stream: ({ accountId }) => accountStream(accountId),
  decider: account,
  decide: (state, { uris }) => decideRemoveAlias(state, uris),
});

/** Returns the account of a handle or web address, as far as this server knows it; also a suspended one. */
export const knownAs = async ({ db, instance }: CommandContext, text: string): Promise<Id | undefined> =>
  (await findKnown(db, instance, text))?.account ??
  accountIdOfHandle(db, instance, text.replace(/^acct:/i, ''));

/**
 * Decides nothing for an existing alias. Pure. @throws RookeryError `not_found` for an account that is not
 * local; `invalid`
 */
export function decideAddAlias(state: Account, other: { id: Id; uri: string }): AccountEvent[] {
  const { id: account_id, moves } = requireUser(state).account;
  if (other.id === account_id) throw invalid('This is the account itself.');
  if (moves.aliases.includes(other.uri)) return [];
  if (moves.aliases.length >= MAX_ALIASES) throw invalid(`An account has ${MAX_ALIASES} aliases at most.`);
  return [{ type: 'AccountAliasAdded', data: { account_id, uri: other.uri } }];
}

/**
 * Removes the first of these URIs that is an alias. Pure. @throws RookeryError `not_found` for an account
 * that is not local; `invalid` when none is
 */
export function decideRemoveAlias(state: Account, uris: readonly string[]): AccountEvent[] {
  const { id: account_id, moves } = requireUser(state).account;
  const uri = uris.find((each) => moves.aliases.includes(each));
  if (uri === undefined) throw invalid('This is no alias of the account.');
  return [{ type: 'AccountAliasRemoved', data: { account_id, uri } }];
}
