import { endpoint } from '#kernel/endpoint.ts';
import { tagSchema } from '#mastodon/schemas/index.ts';
import { tagNameParams, tagText } from '#queries/tags/index.ts';
import { feature, unfeature } from '../featured-tags/index.ts';

/** https://docs.joinmastodon.org/methods/tags/#feature */
export const featureTag = endpoint({
  method: 'POST',
  path: '/api/v1/tags/:name/feature',
  summary: 'Feature a hashtag on your profile',
  auth: 'user',
  scopes: ['write:accounts'],
  params: tagNameParams,
  reply: tagSchema,
  handler: async (ctx, { params: { name: tag } }) => {
    await feature(ctx, tag);
    return { text: await tagText(ctx, tag) };
  },
});

/** https://docs.joinmastodon.org/methods/tags/#unfeature */
export const unfeatureTag = endpoint({
  method: 'POST',
  path: '/api/v1/tags/:name/unfeature',
  summary: 'Stop featuring a hashtag on your profile',
  auth: 'user',
  scopes: ['write:accounts'],
  params: tagNameParams,
  reply: tagSchema,
  handler: async (ctx, { params: { name: tag } }) => {
    await unfeature(ctx, tag);
    return { text: await tagText(ctx, tag) };
  },
});
