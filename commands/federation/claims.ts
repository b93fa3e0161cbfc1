import { createHash } from 'node:crypto';
import { remoteHandleStream, remoteUriStream, type ClaimEvent } from '../../src/events/federation.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** The object that a remote URI or handle identifies. */
export type Claim = { kind: Kind; id: Id } | null;
type Kind = 'account' | 'status' | 'report' | 'collection';

/** The first claim stays until the operator removes what it names. */
export const claim: Decider<Claim, ClaimEvent> = {
  initialState: null,
  evolve(state, event) {
    if (event.type === 'RemoteUriReleased' || event.type === 'RemoteHandleReleased') return null;
    if (state) return state;
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

/** Returns false when another account has the handle: `alice@far.example`, in lower case. */
export async function claimHandle(ctx: CommandContext, handle: string, accountId: Id): Promise<boolean> {
  const digest = digestOf(handle);
  const claimed: ClaimEvent = { type: 'RemoteHandleClaimed', data: { digest, account_id: accountId } };
  const { state } = await ctx.execute(remoteHandleStream(digest), claim, (held) => (held ? [] : [claimed]));
  return state?.id === accountId;
}

/** Frees a URI of an object that is removed here. */
export async function releaseUri(ctx: CommandContext, uri: string, id: Id): Promise<void> {
  const digest = digestOf(uri);
  await release(ctx, remoteUriStream(digest), id, { type: 'RemoteUriReleased', data: { digest, id } });
}

/** Frees the handle of an account that is removed here, in lower case. */
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
