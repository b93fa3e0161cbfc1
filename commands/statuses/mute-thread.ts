import { type InteractionEvent, interactionStream } from '#events/interactions.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import { ofShownStatus, statusText, visibleTarget } from '#queries/statuses/index.ts';
import { type Interaction, interaction } from './interaction.ts';

/** Any post of a thread identifies it. */
const threadEndpoint = {
  method: 'POST',
  auth: 'user',
  scopes: ['write:mutes'],
  ...ofShownStatus,
  reply: statusSchema,
} as const;

export const muteThread = endpoint({
  ...threadEndpoint,
  path: '/api/v1/statuses/:id/mute',
  summary: 'Mute a conversation',
  handler: (ctx, { params }) => change(ctx, params.id, decideMuteThread),
});

export const unmuteThread = endpoint({
  ...threadEndpoint,
  path: '/api/v1/statuses/:id/unmute',
  summary: 'Unmute a conversation',
  handler: (ctx, { params }) => change(ctx, params.id, decideUnmuteThread),
});

interface Thread {
  account_id: string;
  conversation_id: string;
}
type Decide = (state: Interaction, thread: Thread) => InteractionEvent[];

export const decideMuteThread: Decide = (state, thread) =>
  state.muted ? [] : [{ type: 'ThreadMuted', data: thread }];
export const decideUnmuteThread: Decide = (state, thread) =>
  state.muted ? [{ type: 'ThreadUnmuted', data: thread }] : [];

async function change(ctx: UserContext, statusId: string, decide: Decide): Promise<Reply> {
  const { id, conversation_id } = await visibleTarget(ctx, statusId);
  const thread = { account_id: ctx.viewer.account_id, conversation_id };
  await ctx.execute(interactionStream(thread.account_id, conversation_id), interaction, (state) =>
    decide(state, thread),
  );
  return { text: await statusText(ctx, id) };
}
