import { z } from 'zod';
import { accountSchema } from './account.ts';
import { count, id, language, url } from './shared.ts';

const access = z.enum(['public', 'authenticated', 'disabled']);
const feedAccess = z.strictObject({ local: access, remote: access });
/** Local posts of a hashtag or link cannot be disabled. */
const topicAccess = z.strictObject({ local: access.exclude(['disabled']), remote: access });

/** https://docs.joinmastodon.org/entities/Rule/ */
export const ruleSchema = z
  .strictObject({
    id,
    text: z.string(),
    hint: z.string(),
    /** The language is the key. */
    translations: z.record(z.string(), z.strictObject({ text: z.string(), hint: z.string() })).optional(),
  })
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof ruleSchema>;

/** Sizes in bytes, areas in pixels, rates in frames per second. */
const mediaLimits = {
  supported_mime_types: z.array(z.string()),
  image_size_limit: count,
  image_matrix_limit: count,
  video_size_limit: count,
  video_frame_rate_limit: count,
  video_matrix_limit: count,
};

const statusLimits = z.strictObject({
  max_characters: count,
  max_media_attachments: count,
  characters_reserved_per_url: count,
});

/** Expirations in seconds. */
const pollLimits = z.strictObject({
  max_options: count,
  max_characters_per_option: count,
  min_expiration: count,
  max_expiration: count,
});

/** An icon of the server; `size` is `36x36`. */
export const instanceIconSchema = z
  .strictObject({ src: url, size: z.string().regex(/^[0-9]+x[0-9]+$/) })
  .meta({ id: 'InstanceIcon' });
export type InstanceIcon = z.infer<typeof instanceIconSchema>;

/** https://docs.joinmastodon.org/entities/Instance/ */
export const instanceSchema = z
  .strictObject({
    domain: z.string(),
    title: z.string(),
    version: z.string(),
    source_url: url,
    description: z.string(),
    wrapstodon: z.string().nullable().optional(),
    usage: z.strictObject({ users: z.strictObject({ active_month: count }) }),
    thumbnail: z.strictObject({
      url,
      description: z.string().nullable().optional(),
      blurhash: z.string().nullable().optional(),
      versions: z.strictObject({ '@1x': url.optional(), '@2x': url.optional() }).optional(),
    }),
    icon: z.array(instanceIconSchema),
    languages: z.array(language),
    configuration: z.strictObject({
      urls: z.strictObject({
        streaming: url,
        status: url.nullable(),
        about: url.nullable(),
        privacy_policy: url.nullable(),
        terms_of_service: url.nullable(),
      }),
      vapid: z.strictObject({ public_key: z.string() }),
      accounts: z.strictObject({
        max_display_name_length: count,
        max_note_length: count,
        max_avatar_description_length: count.optional(),
        max_header_description_length: count.optional(),
        max_featured_tags: count,
        max_pinned_statuses: count,
        max_profile_fields: count,
        profile_field_name_limit: count,
        profile_field_value_limit: count,
      }),
      statuses: statusLimits,
      media_attachments: z.strictObject({ ...mediaLimits, description_limit: count }),
      polls: pollLimits,
      translation: z.strictObject({ enabled: z.boolean() }),
      timelines_access: z.strictObject({
        live_feeds: feedAccess,
        hashtag_feeds: topicAccess,
        trending_link_feeds: topicAccess,
      }),
      limited_federation: z.boolean(),
    }),
    registrations: z.strictObject({
      enabled: z.boolean(),
      approval_required: z.boolean(),
      reason_required: z.boolean().nullable(),
      message: z.string().nullable(),
      min_age: count.nullable(),
      url: url.nullable(),
    }),
    api_versions: z.strictObject({ mastodon: count }),
    contact: z.strictObject({ email: z.string(), account: accountSchema.nullable() }),
    rules: z.array(ruleSchema),
  })
  .meta({ id: 'Instance' });
export type Instance = z.infer<typeof instanceSchema>;

/** https://docs.joinmastodon.org/entities/V1_Instance/ */
export const v1InstanceSchema = z
  .strictObject({
    uri: z.string(),
    title: z.string(),
    short_description: z.string(),
    description: z.string(),
    email: z.string(),
    version: z.string(),
    urls: z.strictObject({ streaming_api: url }),
    stats: z.strictObject({ user_count: count, status_count: count, domain_count: count }),
    thumbnail: url.nullable(),
    languages: z.array(language),
    registrations: z.boolean(),
    approval_required: z.boolean(),
    invites_enabled: z.boolean(),
    configuration: z.strictObject({
      accounts: z.strictObject({ max_featured_tags: count }),
      statuses: statusLimits,
      media_attachments: z.strictObject(mediaLimits),
      polls: pollLimits,
    }),
    contact_account: accountSchema.nullable(),
    rules: z.array(ruleSchema),
  })
  .meta({ id: 'V1Instance' });
export type V1Instance = z.infer<typeof v1InstanceSchema>;
