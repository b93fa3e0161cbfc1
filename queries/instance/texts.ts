import { endpoint } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { escapeHtml } from '../../src/kernel/html.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { extendedDescriptionSchema, privacyPolicySchema } from '../entities/schemas/index.ts';
import { requireUserIfLimited } from './limited.ts';
import { instanceSettings } from './settings.ts';

/** Of a text that nobody has written: apps expect a time there. */
const NEVER = new Date(0).toISOString();

/**
 * https://docs.joinmastodon.org/methods/instance/#extended_description. Where nobody wrote one it is the short one, since apps
 * take 404 for a failure.
 */
export const showExtendedDescription = endpoint({
  method: 'GET',
  path: '/api/v1/instance/extended_description',
  summary: 'View what this server says of itself at length',
  auth: 'optional',
  scopes: [],
  reply: extendedDescriptionSchema,
  handler: async (ctx) => {
    requireUserIfLimited(ctx);
    await ctx.settle([MAIN]);
    const { extended_description, short_description } = await instanceSettings(ctx.db);
    const content = short_description && `<p>${escapeHtml(short_description)}</p>`;
    return { json: extended_description ?? { content, updated_at: NEVER } };
  },
});

/** https://docs.joinmastodon.org/methods/instance/#privacy_policy. 404 where nobody wrote one. */
export const showPrivacyPolicy = endpoint({
  method: 'GET',
  path: '/api/v1/instance/privacy_policy',
  summary: 'View the privacy policy of this server',
  auth: 'optional',
  scopes: [],
  reply: privacyPolicySchema,
  handler: async (ctx) => {
    requireUserIfLimited(ctx);
    await ctx.settle([MAIN]);
    const { privacy_policy } = await instanceSettings(ctx.db);
    if (!privacy_policy) throw notFound();
    return { json: privacy_policy };
  },
});
