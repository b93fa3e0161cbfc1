import { z } from 'zod';
import { featuredTagsStream } from '#events/tags.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid, parameterMissing } from '#kernel/errors.ts';
import { idParams } from '#kernel/input.ts';
import { featuredTagSchema } from '#mastodon/schemas/index.ts';
import { parseTagName, type TagName } from '#mastodon/tag-name.ts';
import { featuredTagOf } from '#queries/featured-tags/index.ts';
import { decideFeature, decideUnfeature, decideUnfeatureById, featuredTags } from './featured-tags.ts';

/**
 * Features a hashtag on the caller's profile.
 * @returns the id of the featured tag @throws RookeryError `invalid` past the limit
 */
export async function feature(ctx: UserContext, tag: TagName): Promise<string> {
  const accountId = ctx.viewer.account_id;
  const command = { id: ctx.newId(), accountId, tag };
  const { state } = await ctx.execute(featuredTagsStream(accountId), featuredTags, (before) =>
    decideFeature(before, command),
  );
  return state.get(tag.normal) ?? command.id;
}

/** Removes a hashtag from the caller's profile. */
export async function unfeature(ctx: UserContext, tag: TagName): Promise<void> {
  const accountId = ctx.viewer.account_id;
  await ctx.execute(featuredTagsStream(accountId), featuredTags, (state) =>
    decideUnfeature(state, accountId, tag.normal),
  );
}

/** https://docs.joinmastodon.org/methods/featured_tags/#feature */
export const createFeaturedTag = endpoint({
  method: 'POST',
  path: '/api/v1/featured_tags',
  summary: 'Feature a hashtag on your profile, by its name',
  auth: 'user',
  scopes: ['write:accounts'],
  body: z.object({
    name: z.string().max(1_024).nullish().describe('The hashtag, with or without its number sign.'),
  }),
  requires: ['name'],
  reply: featuredTagSchema,
  handler: async (ctx, { body }) => {
    if (!body.name?.trim()) throw parameterMissing('name');
    const tag = parseTagName(body.name);
    if (!tag) throw invalid('Validation failed: Name is invalid, Display name is invalid');
    const id = await feature(ctx, tag);
    return { json: await featuredTagOf(ctx.db, ctx.viewer.account_id, id) };
  },
});

/** Takes the id of the featured tag: https://docs.joinmastodon.org/methods/featured_tags/#unfeature */
export const deleteFeaturedTag = endpoint({
  method: 'DELETE',
  path: '/api/v1/featured_tags/:id',
  summary: 'Stop featuring a hashtag on your profile',
  auth: 'user',
  scopes: ['write:accounts'],
  params: idParams,
  reply: z.strictObject({}),
  handler: async (ctx, { params }) => {
    const accountId = ctx.viewer.account_id;
    await ctx.execute(featuredTagsStream(accountId), featuredTags, (state) =>
      decideUnfeatureById(state, accountId, params.id),
    );
    return { json: {} };
  },
});
