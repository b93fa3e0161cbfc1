import { accountStream } from '../../src/events/accounts.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { account } from '../accounts/index.ts';
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
 * Returns the id of the account with these names. With `confirmed`, WebFinger of the handle led to the URI: then
 * an account that has the handle gets the URI, and an account that has the URI gets the handle. Undefined when
 * the names belong to two accounts, or to something else. A new id has no account yet.
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
 * Returns the account that goes by a handle. The handle of an account that goes by another one by now, or that
 * was erased, is freed. Undefined while an erasure is not complete.
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
  if (handleOf({ username: state.username, domain: state.domain }) !== handle) {
    await releaseHandle(ctx, handle, holder);
    return FREE;
  }
  if (state.gone !== true || state.uri === names.uri) return { holder };
  return (await removeErasedAccount(ctx, { id: holder, handle, uri: state.uri })) ? FREE : undefined;
}

/** Gives a free handle to the account with the URI, or to a new one. An account on another domain keeps its own. */
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

/** Gives the URI to the account that has the handle, unless another account has the URI. */
async function ofHolder(
  ctx: CommandContext,
  { uri }: RemoteNames,
  { holder, named }: { holder: Id; named: Id | undefined },
): Promise<Id | undefined> {
  if (named === holder) return holder;
  if (named !== undefined) {
    const other = await ctx.load(accountStream(named), account);
    if (other.state !== 'none') return undefined;
    await releaseUri(ctx, uri, named);
  }
  const id = await claimUri(ctx, uri, 'account', holder);
  return id === holder ? holder : undefined;
}
