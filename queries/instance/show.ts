import type { InstanceSettings } from '#events/instance.ts';
import type { Instance as Host } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import * as limits from '#mastodon/limits.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import { type Instance, instanceSchema } from '#mastodon/schemas/index.ts';
import { mediaLimits, statusLimits, streamingUrl, thumbnailUrl, titleOf } from './common.ts';
import { type InstanceFacts, instanceFacts, printedOnce } from './facts.ts';

/**
 * The API version of Mastodon: 10 has collections, 7 quotes, 2 grouped notifications.
 * https://docs.joinmastodon.org/entities/Instance/#api-versions
 */
const API_VERSION = 11;

const printed = new WeakMap<Host, (facts: InstanceFacts) => string>();

/**
 * https://docs.joinmastodon.org/methods/instance/#v2. Public in limited federation mode too: apps call it
 * before the user signs in.
 */
export const showInstance = endpoint({
  method: 'GET',
  path: '/api/v2/instance',
  summary: 'View information about this server',
  auth: 'public',
  openInLimitedMode: true,
  scopes: [],
  reply: instanceSchema,
  handler: async (ctx) => {
    const { instance, services } = ctx;
    const print =
      printed.get(instance) ??
      printedOnce((facts) => instanceEntity(facts, instance, services.translator !== undefined));
    printed.set(instance, print);
    return { text: print(await instanceFacts(ctx)) };
  },
});

function instanceEntity(facts: InstanceFacts, host: Host, translates: boolean): Instance {
  const { settings, counts, annualReport } = facts;
  return {
    domain: host.domain,
    title: titleOf(settings, host),
    version: host.version,
    source_url: host.sourceUrl,
    description: settings.short_description,
    wrapstodon: annualReport === null ? null : String(annualReport),
    usage: { users: { active_month: host.limitedFederation ? 0 : counts.activeMonth } },
    thumbnail: thumbnail(settings, host),
    icon: settings.icon.map(({ size, key }) => ({
      src: `${host.mediaOrigin}/${key}`,
      size: `${size}x${size}`,
    })),
    languages: settings.languages,
    configuration: configuration(facts, host, translates),
    registrations: registrations(settings),
    api_versions: { mastodon: API_VERSION },
    contact: { email: settings.contact_email, account: facts.contact },
    rules: facts.rules,
  };
}

/** The description of the picture that a server without one shows. */
const NO_PICTURE = 'A plain background';

function thumbnail(settings: InstanceSettings, host: Host): Instance['thumbnail'] {
  const url = thumbnailUrl(settings, host);
  const { thumbnail: picture } = settings;
  if (!picture) return { url, description: NO_PICTURE, blurhash: null };
  return {
    url,
    description: settings.thumbnail_description || null,
    blurhash: picture.blurhash,
    versions: { '@1x': url, '@2x': `${host.mediaOrigin}/${picture['@2x']}` },
  };
}

function configuration(
  { settings, hasTerms }: InstanceFacts,
  host: Host,
  translates: boolean,
): Instance['configuration'] {
  const access = settings.timeline_preview ? 'public' : 'authenticated';
  const everywhere = { local: access, remote: access } as const;
  return {
    urls: {
      streaming: streamingUrl(host),
      status: settings.status_page_url,
      about: `${host.origin}/about`,
      privacy_policy: `${host.origin}/privacy-policy`,
      terms_of_service: hasTerms ? `${host.origin}/terms-of-service` : null,
    },
    vapid: { public_key: host.vapidPublicKey },
    accounts: {
      max_display_name_length: limits.MAX_DISPLAY_NAME,
      max_note_length: limits.MAX_NOTE,
      max_avatar_description_length: limits.MAX_PICTURE_DESCRIPTION,
      max_header_description_length: limits.MAX_PICTURE_DESCRIPTION,
      max_featured_tags: limits.MAX_FEATURED_TAGS,
      max_pinned_statuses: limits.MAX_PINNED,
      max_profile_fields: limits.MAX_FIELDS,
      profile_field_name_limit: limits.MAX_FIELD_TEXT,
      profile_field_value_limit: limits.MAX_FIELD_TEXT,
    },
    statuses: statusLimits,
    media_attachments: { ...mediaLimits, description_limit: MEDIA_LIMITS.description },
    polls: { ...limits.POLL_LIMITS },
    translation: { enabled: translates },
    timelines_access: { live_feeds: everywhere, hashtag_feeds: everywhere, trending_link_feeds: everywhere },
    limited_federation: host.limitedFederation,
  };
}

/** Sign-ups need no reason and no minimum age, and take place on this server. */
function registrations({
  registrations: mode,
  registrations_message,
}: InstanceSettings): Instance['registrations'] {
  return {
    enabled: mode !== 'closed',
    approval_required: mode === 'approved',
    reason_required: false,
    message: mode === 'closed' ? registrations_message || null : null,
    min_age: null,
    url: null,
  };
}
