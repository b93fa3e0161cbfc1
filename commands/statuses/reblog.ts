import { z } from 'zod';
import { visibility } from '#events/accounts.ts';
import { type InteractionEvent, interactionStream } from '#events/interactions.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { forbidden, isRookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams, orNothing } from '#kernel/input.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import {
  defaultPrivacy,
  statusText,
  targetOpenToViewer,
  type TargetStatus,
  targetViewerInteractedWith,
  touchedText,
} from '#queries/statuses/index.ts';
import { requireApproval } from './approval.ts';
import { type Interaction, interaction, type Reblog, type Target } from './interaction.ts';
import { decideEndReblogRequest, decideRequestReblog } from './requests.ts';

export const reblogStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/reblog',
  summary: 'Reblog a status',
  auth: 'user',
  scopes: ['write:statuses'],
  params: idParams,
  body: z.object({
    visibility: orNothing(visibility.exclude(['direct'])).describe(
      'Who sees the reblog; the default of the user where it is absent.',
    ),
  }),
  limit: 'statuses',
  reply: statusSchema,
  handler: async (ctx, { params, body }) => {
    const [target, privacy] = await Promise.all([targetOpenToViewer(ctx, params.id), defaultPrivacy(ctx)]);
    const { account_id, username } = ctx.viewer;
    const id = ctx.newId();
    const command: Reblog = {
      id,
      local: true,
      now: ctx.now,
      account_id,
      status_id: target.id,
      status_account_id: target.account_id,
      uri: `${ctx.instance.origin}/users/${username}/statuses/${id}/activity`,
      visibility: body.visibility ?? privacy,
    };
    const approval = await requireApproval(ctx, target, 'announce');
    const { state } = await ctx.execute(interactionStream(account_id, target.id), interaction, (before) =>
      approval.isNeeded
        ? decideRequestReblog(before, command, approval.polite)
        : decideReblog(before, command, target),
    );
    const text = statusText(ctx, (state.reblog ?? state.requested.reblog)?.id ?? id);
    return { text: await text.catch((error: unknown) => undoneMeanwhile(ctx, target.id, error)) };
  },
});

/**
 * Returns the post when another request of the user undid the reblog before it was read. @throws any other
 * error
 */
async function undoneMeanwhile(ctx: UserContext, postId: Id, error: unknown): Promise<JsonPieces> {
  if (isRookeryError(error) && error.code === 'not_found') return touchedText(ctx, postId);
  throw error;
}

/**
 * Also works when the author has blocked the reader since. It then shows nothing that the reader could not
 * see before.
 */
export const unreblogStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/unreblog',
  summary: 'Undo a reblog',
  auth: 'user',
  scopes: ['write:statuses'],
  params: idParams,
  limit: 'deletes',
  reply: statusSchema,
  handler: async (ctx, { params }) => {
    const { id, account_id } = await targetViewerInteractedWith(ctx, params.id);
    const target = { account_id: ctx.viewer.account_id, status_id: id, status_account_id: account_id };
    await ctx.execute(interactionStream(target.account_id, id), interaction, (state) =>
      decideUnreblog(state, target),
    );
    return { text: await touchedText(ctx, id) };
  },
});

/**
 * Reblogs once: a repeat returns the existing reblog. Only its author can reblog a private post, to
 * followers.
 * @throws RookeryError `forbidden`
 */
export function decideReblog(
  state: Interaction,
  command: Reblog,
  target: Pick<TargetStatus, 'account_id' | 'visibility'>,
): InteractionEvent[] {
  const own = target.account_id === command.account_id;
  if (target.visibility === 'direct' || (target.visibility === 'private' && !own)) throw forbidden();
  if (state.reblog || state.requested.reblog) return [];
  const { now, visibility, ...rest } = command;
  return [
    {
      type: 'StatusReblogged',
      data: {
        ...rest,
        created_at: now,
        visibility: target.visibility === 'private' ? 'private' : visibility,
      },
    },
  ];
}

/** Undoes the reblog, or the request for one. */
export function decideUnreblog(state: Interaction, target: Target): InteractionEvent[] {
  if (!state.reblog) return decideEndReblogRequest(state, target, 'withdrawn');
  return [{ type: 'StatusUnreblogged', data: { ...target, ...state.reblog } }];
}
