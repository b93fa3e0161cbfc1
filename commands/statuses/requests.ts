import { isDeepStrictEqual } from 'node:util';
import type { InteractionEvent } from '#events/interactions.ts';
import type { InteractionPolicy, ReplyRequested, StatusCreated, StatusEvent } from '#events/statuses.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import type { EventOf } from '#kernel/event.ts';
import type { Id } from '#kernel/ids.ts';
import type { PostingFacts } from '#queries/statuses/index.ts';
import type { Interaction, Reblog, Target } from './interaction.ts';
import type { Status } from './status.ts';

/*
 * Interactions of local users that the author of a remote post must approve. All functions are pure.
 * https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */

/** Why a request ends without approval. */
export type RequestEnd = 'withdrawn' | 'rejected';

/** Returns the new post, or the request for approval when the author of the parent decides about replies. */
export const postOrRequest = (
  [{ type, data }]: [EventOf<typeof StatusCreated>],
  { parent }: PostingFacts,
): [EventOf<typeof StatusCreated> | EventOf<typeof ReplyRequested>] =>
  parent?.reply?.approval === 'required'
    ? [
        {
          type: 'ReplyRequested',
          data: { ...data, asked_account_id: parent.account_id, polite: parent.reply.polite },
        },
      ]
    : [{ type, data }];

/**
 * @throws RookeryError `not_found` for a missing post, `invalid` for one without permission to reply, or not
 * yet
 */
export function checkParent(
  { in_reply_to_id: wanted }: { in_reply_to_id?: string | null | undefined },
  parent: PostingFacts['parent'],
): void {
  if (wanted == null) return;
  if (!parent) {
    throw new RookeryError('not_found', 'The post you are trying to reply to does not appear to exist.');
  }
  if (parent.requested === true) {
    throw invalid(
      'Validation failed: The reply you are replying to waits for the approval of another author',
    );
  }
  if (parent.reply?.approval === 'forbidden') {
    throw invalid('Validation failed: The author of this post does not allow you to reply to it');
  }
}

/** The author approves a reply, which is an ordinary post from now on. */
export function decideApproveReply(state: Status, askedAccountId: Id, authorization: string): StatusEvent[] {
  if (state.state !== 'requested' || state.askedAccountId !== askedAccountId) return [];
  return [{ type: 'StatusCreated', data: { ...state.data, reply_authorization: authorization } }];
}

export function decideEndReplyRequest(state: Status, reason: RequestEnd): StatusEvent[] {
  if (state.state !== 'requested' || state.askedAccountId === null) return [];
  const { id, account_id } = state.data;
  return [
    { type: 'ReplyRequestEnded', data: { id, account_id, asked_account_id: state.askedAccountId, reason } },
  ];
}

export const decideRequestFavourite = (
  { favourited, requested }: Interaction,
  target: Target,
  { id, polite }: { id: Id; polite: boolean },
): InteractionEvent[] =>
  favourited !== null || requested.favourite !== undefined
    ? []
    : [{ type: 'FavouriteRequested', data: { id, ...target, polite } }];

/** `id` is that of the requested favourite: an answer to an earlier one is ignored. */
export const decideApproveFavourite = (
  { requested }: Interaction,
  target: Target,
  { id, authorization }: { id: Id; authorization: string },
): InteractionEvent[] =>
  requested.favourite === id ? [{ type: 'StatusFavourited', data: { id, ...target, authorization } }] : [];

/** `asked` restricts it to the request with this id. */
export const decideEndFavouriteRequest = (
  { requested: { favourite: id } }: Interaction,
  target: Target,
  reason: RequestEnd,
  asked = id,
): InteractionEvent[] =>
  id === undefined || id !== asked
    ? []
    : [{ type: 'FavouriteRequestEnded', data: { id, ...target, reason } }];

/** Decides once, like the reblog itself. */
export function decideRequestReblog(
  { reblog, requested }: Interaction,
  { now, ...command }: Reblog,
  polite: boolean,
): InteractionEvent[] {
  if (reblog || requested.reblog) return [];
  return [{ type: 'ReblogRequested', data: { ...command, created_at: now, polite } }];
}

/** `id` is that of the requested reblog. */
export const decideApproveReblog = (
  { requested: { reblog } }: Interaction,
  target: Target,
  { id, authorization }: { id: Id; authorization: string },
): InteractionEvent[] =>
  reblog?.id === id ? [{ type: 'StatusReblogged', data: { ...reblog, ...target, authorization } }] : [];

/** `asked` restricts it to the request with this id. */
export const decideEndReblogRequest = (
  { requested: { reblog } }: Interaction,
  target: Target,
  reason: RequestEnd,
  asked = reblog?.id,
): InteractionEvent[] =>
  reblog && reblog.id === asked
    ? [{ type: 'ReblogRequestEnded', data: { id: reblog.id, ...target, reason } }]
    : [];

/** Records the policy that the author of a remote post declares. */
export function decideInteractionPolicy(
  state: Status,
  accountId: Id,
  policy: InteractionPolicy | null,
): StatusEvent[] {
  if (state.state !== 'visible' || state.data.local || state.data.account_id !== accountId) return [];
  if (isDeepStrictEqual(state.interactionPolicy, policy)) return [];
  const { id, account_id } = state.data;
  return [{ type: 'InteractionPolicyChanged', data: { id, account_id, interaction_policy: policy } }];
}
