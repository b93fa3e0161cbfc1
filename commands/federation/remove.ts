import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import type { Id } from '#kernel/ids.ts';
import { type Status, status } from '../statuses/index.ts';
import { releaseHandle, releaseUri } from './claims.ts';

/** A remote post that nothing here refers to. */
export interface RemovableStatus {
  id: Id;
  account_id: Id;
  uri: string;
}

/**
 * Removes a remote post with its rows, to save room. Its server is not told. If the post comes again, it is a
 * new one; a stop leaves its URI taken, which `freeRemovedUri` mends by then. @returns whether it was there
 */
export async function removeRemoteStatus(ctx: CommandContext, post: RemovableStatus): Promise<boolean> {
  const { events } = await ctx.execute(statusStream(post.id), status, decideRemoveStatus, { step: 'remove' });
  await releaseUri(ctx, post.uri, post.id);
  return events.length > 0;
}

/** Frees the URI of a post whose removal was broken off. @returns whether this was such a post */
export async function freeRemovedUri(ctx: CommandContext, uri: string, id: Id): Promise<boolean> {
  const isRemoved = await ctx.load(statusStream(id), removedRows);
  if (isRemoved) await releaseUri(ctx, uri, id);
  return isRemoved;
}

/** Stream `status-<id>`: whether the rows of a remote post are removed. */
const removedRows: Decider<boolean, StatusEvent> = {
  initialState: false,
  evolve: (state, { type }) => state || type === 'RemoteStatusRemoved',
};

/** Removes visible and deleted remote posts. Pure. */
export function decideRemoveStatus(state: Status): StatusEvent[] {
  if ((state.state !== 'visible' && state.state !== 'deleted') || state.data.local) return [];
  const { id, account_id, visibility, in_reply_to_id } = state.data;
  const removed: StatusEvent = { type: 'RemoteStatusRemoved', data: { id, account_id } };
  if (state.state === 'deleted') return [removed];
  return [{ type: 'StatusDeleted', data: { id, account_id, visibility, in_reply_to_id } }, removed];
}

/** A remote account that was erased here. */
export interface RemovableAccount {
  id: Id;
  /** `alice@far.example`, in lower case. */
  handle: string;
  uri: string;
}

/**
 * Removes the rows of an erased remote account, and frees its name: if it comes again, it is a new account.
 * Does nothing while the erasure waits, for open reports. May run again: a stop leaves its handle or its URI
 * taken.
 * @returns whether it is removed now
 */
export async function removeErasedAccount(
  ctx: CommandContext,
  { id, handle, uri }: RemovableAccount,
): Promise<boolean> {
  const { state } = await ctx.execute(accountStream(id), erased, (now) => decideRemoveAccount(now, id), {
    step: 'remove',
  });
  if (state !== 'removed') return false;
  await releaseHandle(ctx, handle, id);
  await releaseUri(ctx, uri, id);
  return true;
}

type Erased = 'no' | 'erased' | 'removed';

/** Stream `account-<id>`: whether the account is erased, and its rows are removed. */
export const erased: Decider<Erased, AccountEvent> = {
  initialState: 'no',
  evolve: (state, { type }) =>
    type === 'PersonalDataErased' ? 'erased' : type === 'RemoteAccountRemoved' ? 'removed' : state,
};

/** Pure. */
export const decideRemoveAccount = (state: Erased, id: Id): AccountEvent[] =>
  state === 'erased' ? [{ type: 'RemoteAccountRemoved', data: { account_id: id } }] : [];
