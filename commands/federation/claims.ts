import { createHash } from 'node:crypto';
import { type ClaimEvent, remoteHandleStream, remoteUriStream } from '#events/federation.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import type { Id } from '#kernel/ids.ts';

/** The object that a remote URI or handle identifies; `alias` for a handle that leads to another one. */
export type Claim = { kind: Kind; id: Id; alias?: true } | null;
type Kind = 'account' | 'status' | 'report' | 'collection';

/** The first claim stays until it is released. An alias gives way to a claim and to another alias. */
export const claim: Decider<Claim, ClaimEvent> = {
  initialState: null,
  evolve(state, event) {
    if (event.type === 'RemoteUriReleased' || event.type === 'RemoteHandleReleased') return null;
    if (state && state.alias !== true) return state;
    if (event.type === 'RemoteHandleAliased')
      return { kind: 'account', id: event.data.account_id, alias: true };
    return event.type === 'RemoteUriClaimed'
      ? { kind: event.data.kind, id: event.data.id }
      : { kind: 'account', id: event.data.account_id };
  },
};

/**
 * Returns the id behind a URI: the known one, or `fresh` from now on. Undefined when the URI names something
 * of another kind.
 */
export async function claimUri(
  ctx: CommandContext,
  uri: string,
  kind: Kind,
  fresh: Id,
): Promise<Id | undefined> {
  const digest = digestOf(uri);
  const claimed: ClaimEvent = { type: 'RemoteUriClaimed', data: { digest, kind, id: fresh } };
  const { state } = await ctx.execute(remoteUriStream(digest), claim, (held) => (held ? [] : [claimed]));
  return state?.kind === kind ? state.id : undefined;
}

/** Returns what a URI names; null for nothing. */
export const holderOfUri = (ctx: CommandContext, uri: string): Promise<Claim> =>
  ctx.load(remoteUriStream(digestOf(uri)), claim);

/** Returns the account that has a handle, in lower case, as its own. */
export async function holderOfHandle(ctx: CommandContext, handle: string): Promise<Id | undefined> {
  const held = await ctx.load(remoteHandleStream(digestOf(handle)), claim);
  return held && held.alias !== true ? held.id : undefined;
}

/** Records that a handle, in lower case, leads to an account, unless an account has it as its own. */
export async function aliasHandle(ctx: CommandContext, handle: string, accountId: Id): Promise<void> {
  const digest = digestOf(handle);
  const aliased: ClaimEvent = { type: 'RemoteHandleAliased', data: { digest, account_id: accountId } };
  await ctx.execute(
    remoteHandleStream(digest),
    claim,
    (held) => (held && (held.alias !== true || held.id === accountId) ? [] : [aliased]),
    { step: 'alias' },
  );
}

/** Returns false when another account has the handle: `alice@far.example`, in lower case. */
export async function claimHandle(ctx: CommandContext, handle: string, accountId: Id): Promise<boolean> {
  const digest = digestOf(handle);
  const claimed: ClaimEvent = { type: 'RemoteHandleClaimed', data: { digest, account_id: accountId } };
  const { state } = await ctx.execute(remoteHandleStream(digest), claim, (held) =>
    held && held.alias !== true ? [] : [claimed],
  );
  return state?.id === accountId;
}

/** Frees a URI of an object that is removed here, or never was. */
export async function releaseUri(ctx: CommandContext, uri: string, id: Id): Promise<void> {
  const digest = digestOf(uri);
  await release(ctx, remoteUriStream(digest), id, { type: 'RemoteUriReleased', data: { digest, id } });
}

/** Frees a handle, in lower case, of an account that is removed here or goes by another one. */
export async function releaseHandle(ctx: CommandContext, handle: string, accountId: Id): Promise<void> {
  const digest = digestOf(handle);
  const released: ClaimEvent = { type: 'RemoteHandleReleased', data: { digest, account_id: accountId } };
  await release(ctx, remoteHandleStream(digest), accountId, released);
}

/** Does nothing when the name belongs to another object meanwhile. */
async function release(ctx: CommandContext, stream: string, id: Id, released: ClaimEvent): Promise<void> {
  await ctx.execute(stream, claim, (held) => (held?.id === id ? [released] : []), { step: 'release' });
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
