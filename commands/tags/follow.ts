import { tagFollowsStream } from '#events/tags.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { tagSchema } from '#mastodon/schemas/index.ts';
import { tagNameParams, tagText } from '#queries/tags/index.ts';
import { decideFollowTag, decideUnfollowTag, tagFollows } from './tag-follows.ts';

/** https://docs.joinmastodon.org/methods/tags/#follow */
export const followTag = endpoint({
  method: 'POST',
  path: '/api/v1/tags/:name/follow',
  summary: 'Follow a hashtag',
  auth: 'user',
  scopes: ['write:follows', 'follow'],
  params: tagNameParams,
  reply: tagSchema,
  handler: async (ctx, { params: { name: tag } }) => {
    const accountId = ctx.viewer.account_id;
    const command = { id: ctx.newId(), accountId, tag };
    await ctx.execute(tagFollowsStream(accountId), tagFollows, (state) => decideFollowTag(state, command));
    return { text: await tagText(ctx, tag) };
  },
});

/** https://docs.joinmastodon.org/methods/tags/#unfollow */
export const unfollowTag = endpoint({
  method: 'POST',
  path: '/api/v1/tags/:name/unfollow',
  summary: 'Unfollow a hashtag',
  auth: 'user',
  scopes: ['write:follows', 'follow'],
  params: tagNameParams,
  reply: tagSchema,
  handler: async (ctx, { params: { name: tag } }) => {
    const accountId = ctx.viewer.account_id;
    await ctx.execute(tagFollowsStream(accountId), tagFollows, (state) =>
      decideUnfollowTag(state, accountId, tag),
    );
    return { text: await tagText(ctx, tag) };
  },
});
