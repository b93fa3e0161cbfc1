import type { Instance as Host } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { escapeHtml } from '#mastodon/html.ts';
import { MAX_FEATURED_TAGS, POLL_LIMITS } from '#mastodon/limits.ts';
import { type V1Instance, v1InstanceSchema } from '#mastodon/schemas/index.ts';
import { mediaLimits, statusLimits, streamingUrl, thumbnailUrl, titleOf } from './common.ts';
import { type InstanceFacts, instanceFacts, printedOnce } from './facts.ts';

const printed = new WeakMap<Host, (facts: InstanceFacts) => string>();

/** https://docs.joinmastodon.org/methods/instance/#v1, for apps older than version 4. */
export const showInstanceV1 = endpoint({
  method: 'GET',
  path: '/api/v1/instance',
  summary: 'View information about this server, as apps from before version 4 know it',
  auth: 'public',
  scopes: [],
  reply: v1InstanceSchema,
  deprecated: true,
  deprecatedOn: '2022-11-14',
  handler: async (ctx) => {
    const print = printed.get(ctx.instance) ?? printedOnce((facts) => v1Entity(facts, ctx.instance));
    printed.set(ctx.instance, print);
    return { text: print(await instanceFacts(ctx)) };
  },
});

function v1Entity({ settings, counts, contact, rules }: InstanceFacts, host: Host): V1Instance {
  const { users, statuses, domains } = counts;
  return {
    uri: host.domain,
    title: titleOf(settings, host),
    short_description: settings.short_description,
    description: settings.extended_description?.content ?? escapeHtml(settings.short_description),
    email: settings.contact_email,
    version: host.version,
    urls: { streaming_api: streamingUrl(host) },
    stats: { user_count: users, status_count: statuses, domain_count: domains },
    thumbnail: thumbnailUrl(settings, host),
    languages: settings.languages,
    registrations: settings.registrations !== 'closed',
    approval_required: settings.registrations === 'approved',
    invites_enabled: false,
    configuration: {
      accounts: { max_featured_tags: MAX_FEATURED_TAGS },
      statuses: statusLimits,
      media_attachments: mediaLimits,
      polls: { ...POLL_LIMITS },
    },
    contact_account: contact,
    rules,
  };
}
