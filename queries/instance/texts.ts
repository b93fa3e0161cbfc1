import type { InstanceText } from '../../src/events/instance.ts';
import type { RequestContext } from '../../src/kernel/context.ts';
import { endpoint, type Reply } from '../../src/kernel/endpoint.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { extendedDescriptionSchema, privacyPolicySchema } from '../entities/schemas/index.ts';
import { requireUserIfLimited } from './limited.ts';
import { instanceSettings } from './settings.ts';

const replyWith =
  (name: 'extended_description' | 'privacy_policy') =>
  async (ctx: RequestContext): Promise<Reply> => {
    requireUserIfLimited(ctx);
    await ctx.settle([MAIN]);
    const text: InstanceText | null = (await instanceSettings(ctx.db))[name];
    if (!text) throw notFound();
    return { json: { updated_at: text.updated_at, content: text.content } };
  };

/** https://docs.joinmastodon.org/methods/instance/#extended_description. 404 where nobody wrote one. */
export const showExtendedDescription = endpoint({
  method: 'GET',
  path: '/api/v1/instance/extended_description',
  summary: 'View what this server says of itself at length',
  auth: 'optional',
  scopes: [],
  reply: extendedDescriptionSchema,
  handler: replyWith('extended_description'),
});

/** https://docs.joinmastodon.org/methods/instance/#privacy_policy. 404 where nobody wrote one. */
export const showPrivacyPolicy = endpoint({
  method: 'GET',
  path: '/api/v1/instance/privacy_policy',
  summary: 'View the privacy policy of this server',
  auth: 'optional',
  scopes: [],
  reply: privacyPolicySchema,
  handler: replyWith('privacy_policy'),
});
