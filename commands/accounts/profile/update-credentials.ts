import { endpoint } from '#kernel/endpoint.ts';
import { credentialAccountSchema } from '#mastodon/schemas/index.ts';
import { credentialsText } from '#queries/accounts/index.ts';
import { changeProfile, PROFILE_FILES } from './change-profile.ts';
import { updateBody } from './profile-input.ts';

/** https://docs.joinmastodon.org/methods/accounts/#update_credentials */
export const updateCredentials = endpoint({
  method: 'PATCH',
  path: '/api/v1/accounts/update_credentials',
  summary: 'Change profile and preferences',
  auth: 'user',
  scopes: ['write:accounts'],
  body: updateBody,
  files: PROFILE_FILES,
  reply: credentialAccountSchema,
  handler: async (ctx, { body, files }) => {
    await changeProfile(ctx, body, files);
    return { text: await credentialsText(ctx.db, ctx.instance, ctx.viewer.account_id) };
  },
});
