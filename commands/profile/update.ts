import { endpoint } from '#kernel/endpoint.ts';
import { profileSchema } from '#mastodon/schemas/index.ts';
import { profileOf } from '#queries/profile.ts';
import { changeProfile, PROFILE_FILES, updateBody } from '../accounts/index.ts';

/** Like `update_credentials`, without preferences: https://docs.joinmastodon.org/methods/profile/ */
export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/api/v1/profile',
  summary: 'Change your profile',
  auth: 'user',
  scopes: ['write:accounts'],
  body: updateBody.omit({ source: true }),
  files: PROFILE_FILES,
  reply: profileSchema,
  handler: async (ctx, { body, files }) => {
    await changeProfile(ctx, { ...body, source: undefined }, files);
    return { json: await profileOf(ctx.db, ctx.instance, ctx.viewer.account_id) };
  },
});
