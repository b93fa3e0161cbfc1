import { endpoint } from '#kernel/endpoint.ts';
import { changeReactions, reactionEndpoint, recognizedEmoji } from './reactions.ts';
import { decideUnreact } from './reader.ts';

/**
 * https://docs.joinmastodon.org/methods/announcements/#delete-reactions. Removing a missing reaction
 * succeeds.
 */
export const removeReaction = endpoint({
  ...reactionEndpoint,
  method: 'DELETE',
  path: '/api/v1/announcements/:id/reactions/:name',
  summary: 'Take back a reaction to an announcement',
  handler: (ctx, { params: { id, name } }) => {
    const emoji = recognizedEmoji(name, ctx.instance);
    return changeReactions(ctx, id, (state, reader) => decideUnreact(state, reader, { name, emoji }));
  },
});
