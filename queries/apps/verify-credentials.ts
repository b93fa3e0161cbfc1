import { endpoint } from '#kernel/endpoint.ts';
import { badToken } from '#kernel/errors.ts';
import { applicationSchema } from '#mastodon/schemas/application.ts';
import { findApplication } from './application.ts';

/**
 * https://docs.joinmastodon.org/methods/apps/#verify_credentials. Any valid token is accepted, also a user's.
 */
export const verifyAppCredentials = endpoint({
  method: 'GET',
  path: '/api/v1/apps/verify_credentials',
  summary: 'Show the application that the token belongs to',
  auth: 'app',
  openInLimitedMode: true,
  scopes: [],
  reply: applicationSchema,
  handler: async ({ db, token, instance }) => {
    const application = await findApplication(db, token.application_id, instance.vapidPublicKey);
    if (!application) throw badToken();
    return { json: application };
  },
});
