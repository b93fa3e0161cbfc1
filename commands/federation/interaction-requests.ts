import { type InteractionEvent, interactionStream } from '#events/interactions.ts';
import { type InteractionPolicy, type StatusEvent, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { InteractionRequest } from '#queries/federation/index.ts';
import {
  decideApproveFavourite,
  decideApproveReblog,
  decideApproveReply,
  decideEndFavouriteRequest,
  decideEndReblogRequest,
  decideEndReplyRequest,
  decideInteractionPolicy,
  type Interaction,
  interaction,
  status,
  type Target,
} from '../statuses/index.ts';
import { useCase } from '../use-case.ts';
import type { RemoteOwn } from './posts.ts';

/**
 * The author of a remote post approves the request of a local user. An answer that comes too late changes
 * nothing.
 */
export async function approveInteraction(
  ctx: CommandContext,
  request: InteractionRequest,
  authorization: string,
): Promise<void> {
  const { id, kind, status_account_id: askedId } = request;
  if (kind === 'reply') {
    await ctx.execute(statusStream(id), status, (state) => decideApproveReply(state, askedId, authorization));
    return;
  }
  const decide = kind === 'like' ? decideApproveFavourite : decideApproveReblog;
  await answer(ctx, request, (state, target) => decide(state, target, { id, authorization }));
}

/** The author of a remote post refuses the request. */
export async function rejectInteraction(ctx: CommandContext, request: InteractionRequest): Promise<void> {
  const { id, kind } = request;
  if (kind === 'reply') {
    await ctx.execute(statusStream(id), status, (state) => decideEndReplyRequest(state, 'rejected'));
    return;
  }
  const decide = kind === 'like' ? decideEndFavouriteRequest : decideEndReblogRequest;
  await answer(ctx, request, (state, target) => decide(state, target, 'rejected', id));
}

async function answer(
  ctx: CommandContext,
  { account_id, status_id, status_account_id }: InteractionRequest,
  decide: (state: Interaction, target: Target) => InteractionEvent[],
): Promise<void> {
  const target = { account_id, status_id, status_account_id };
  await ctx.execute(interactionStream(account_id, status_id), interaction, (state) => decide(state, target));
}

/** Records the policy of a remote post; null for an open one. */
export const changeRemoteInteractionPolicy = useCase({
  stream: ({ id }: RemoteOwn & { policy: InteractionPolicy | null }) => statusStream(id),
  decider: status,
  decide: (state, { accountId, policy }): StatusEvent[] => decideInteractionPolicy(state, accountId, policy),
  step: () => 'interaction-policy',
});
