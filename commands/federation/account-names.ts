import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { type Account, account, type ExistingAccount, mayRelocate } from '../accounts/index.ts';
import {
  aliasHandle,
  claimHandle,
  claimUri,
  holderOfHandle,
  holderOfUri,
  releaseHandle,
  releaseUri,
} from './claims.ts';
import { removeErasedAccount } from './remove.ts';

/** The names of a remote account. */
export interface RemoteNames {
  username: string;
  /** The domain of the handle: lower case, ASCII. */
  domain: string;
  uri: string;
}

/** Returns a handle in the form of claims: lower case, without a leading @. */
export const handleOf = ({ username, domain }: Pick<RemoteNames, 'username' | 'domain'>): string =>
  `${username}@${domain}`.toLowerCase();

/**
 * Returns the id of the account with these names. With `confirmed`, WebFinger of the handle led to the URI:
 * then an account that has the handle gets the URI, and an account that has the URI gets the handle, also
 * from another account. Undefined when the names belong to something else. A new id has no account yet. A
 * stop leaves names of an id without an account, or a free handle; the next call continues from there.
 */
export async function accountIdFor(
  ctx: CommandContext,
  names: RemoteNames,
  { confirmed }: { confirmed: boolean },
): Promise<Id | undefined> {
  const named = await holderOfUri(ctx, names.uri);
  if (named && named.kind !== 'account') return undefined;
  if (!confirmed) return named?.id;
  const present = await presentHolder(ctx, names);
  if (!present) return undefined;
  const { holder } = present;
  return holder === undefined
    ? withFreeHandle(ctx, names, named?.id)
    : ofHolder(ctx, names, { holder, named: named?.id });
}

/**
 * Records that a handle leads to a known account. Does nothing for a handle that an account has as its own.
 */
export async function aliasRemoteHandle(
  ctx: CommandContext,
  handle: Pick<RemoteNames, 'username' | 'domain'>,
  accountId: Id,
): Promise<void> {
  await aliasHandle(ctx, handleOf(handle), accountId);
}

const FREE = { holder: undefined };

/**
 * Returns the account that goes by a handle. The handle of an account that goes by another one by now, or
 * that was erased, is freed. Undefined while an erasure is not complete.
 */
async function presentHolder(
  ctx: CommandContext,
  names: RemoteNames,
): Promise<{ holder: Id | undefined } | undefined> {
  const handle = handleOf(names);
  const holder = await holderOfHandle(ctx, handle);
  if (holder === undefined) return FREE;
  const state = await ctx.load(accountStream(holder), account);
  if (state.state !== 'exists' || state.domain === null) return { holder };
  if (!hasHandle(state, handle)) {
    await releaseHandle(ctx, handle, holder);
    return FREE;
  }
  if (state.gone !== true || state.uri === names.uri) return { holder };
  return (await removeErasedAccount(ctx, { id: holder, handle, uri: state.uri })) ? FREE : undefined;
}

/** Tells whether an account goes by a handle. Pure. */
const hasHandle = ({ username, domain, handleLost }: ExistingAccount, handle: string): boolean =>
  domain !== null && handleLost !== true && handleOf({ username, domain }) === handle;

/**
 * Gives a free handle to the account with the URI, or to a new one. An account on another domain keeps its
 * own.
 */
async function withFreeHandle(
  ctx: CommandContext,
  names: RemoteNames,
  named: Id | undefined,
): Promise<Id | undefined> {
  const known = named === undefined ? undefined : await ctx.load(accountStream(named), account);
  if (named !== undefined && known?.state === 'exists' && known.domain !== names.domain) {
    await aliasHandle(ctx, handleOf(names), named);
    return named;
  }
  const id = named ?? (await claimUri(ctx, names.uri, 'account', ctx.newId()));
  if (id === undefined) return undefined;
  return (await claimHandle(ctx, handleOf(names), id)) ? id : undefined;
}

/**
 * Gives the URI to the account that has the handle; when another account has the URI, the handle to that one.
 */
async function ofHolder(
  ctx: CommandContext,
  names: RemoteNames,
  { holder, named }: { holder: Id; named: Id | undefined },
): Promise<Id | undefined> {
  const { uri } = names;
  if (named === holder) return holder;
  if (named !== undefined) {
    const other = await ctx.load(accountStream(named), account);
    if (other.state === 'exists') return takeHandle(ctx, names, { holder, taker: other });
    if (other.state !== 'none') return undefined;
    await releaseUri(ctx, uri, named);
  }
  const id = await claimUri(ctx, uri, 'account', holder);
  return id === holder ? holder : undefined;
}

/**
 * Gives the handle of one account to another one that WebFinger names. An account that was renamed too often
 * keeps its name. @returns undefined while the other account is suspended or gone
 */
async function takeHandle(
  ctx: CommandContext,
  names: RemoteNames,
  { holder, taker }: { holder: Id; taker: ExistingAccount },
): Promise<Id | undefined> {
  if (taker.suspended || taker.gone === true || taker.domain === null) return undefined;
  if (taker.domain === names.domain && !mayRelocate(taker, ctx.now)) return taker.id;
  const handle = handleOf(names);
  const { state } = await ctx.execute(
    accountStream(holder),
    account,
    (known) => decideLoseHandle(known, handle, { takerId: taker.id, now: ctx.now }),
    { step: 'lose handle' },
  );
  // The account is becoming known, and its handle is its own.
  if (state.state !== 'exists') return undefined;
  await releaseHandle(ctx, handle, holder);
  return withFreeHandle(ctx, names, taker.id);
}

/** Records the loss of a handle, in lower case, by the account that goes by it. Pure. */
export function decideLoseHandle(
  known: Account,
  handle: string,
  { takerId, now }: { takerId: Id; now: string },
): AccountEvent[] {
  if (known.state !== 'exists' || known.domain === null || !hasHandle(known, handle)) return [];
  const { id: account_id, username, domain } = known;
  const data = { account_id, username, domain, new_account_id: takerId, lost_at: now };
  return [{ type: 'RemoteHandleLost', data }];
}
