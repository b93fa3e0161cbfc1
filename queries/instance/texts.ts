import { endpoint } from '#kernel/endpoint.ts';
import { escapeHtml } from '#mastodon/html.ts';
import { extendedDescriptionSchema, privacyPolicySchema } from '#mastodon/schemas/index.ts';
import { privacyPolicyOf } from './privacy-policy.ts';
import { instanceSettings } from './settings.ts';

/**
 * https://docs.joinmastodon.org/methods/instance/#extended_description. The default is the short description,
 * because apps treat 404 as a failure.
 */
export const showExtendedDescription = endpoint({
  method: 'GET',
  path: '/api/v1/instance/extended_description',
  summary: 'View what this server says of itself at length',
  auth: 'public',
  scopes: [],
  reply: extendedDescriptionSchema,
  handler: async (ctx) => {
    const { extended_description, short_description } = await instanceSettings(ctx.db);
    const content = short_description && `<p>${escapeHtml(short_description)}</p>`;
    return { json: extended_description ?? { content, updated_at: null } };
  },
});

/** https://docs.joinmastodon.org/methods/instance/#privacy_policy */
export const showPrivacyPolicy = endpoint({
  method: 'GET',
  path: '/api/v1/instance/privacy_policy',
  summary: 'View the privacy policy of this server',
  auth: 'public',
  scopes: [],
  reply: privacyPolicySchema,
  handler: async (ctx) => {
    return { json: privacyPolicyOf(await instanceSettings(ctx.db), ctx.instance) };
  },
});
