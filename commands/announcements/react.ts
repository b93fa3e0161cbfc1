import { endpoint } from '#kernel/endpoint.ts';
import { changeReactions, reactionEndpoint, recognizedEmoji } from './reactions.ts';
import { decideReact } from './reader.ts';

/** https://docs.joinmastodon.org/methods/announcements/#put-reactions. A repeat succeeds. */
export const addReaction = endpoint({
  ...reactionEndpoint,
  method: 'PUT',
  path: '/api/v1/announcements/:id/reactions/:name',
  summary: 'React to an announcement with an emoji',
  handler: (ctx, { params: { id, name } }) => {
    const reactionId = ctx.newId();
    const emoji = recognizedEmoji(name, ctx.instance);
    return changeReactions(ctx, id, (state, reader) =>
      decideReact(state, { id: reactionId, ...reader }, emoji),
    );
  },
});
