import { z } from 'zod';
import { accountSchema } from './account.ts';
import { count, date, dateTime, id, language, url } from './shared.ts';

/** Additions: Mastodon changes these on web pages, and has no API for them. */

/** An announcement as staff see it, published or not. */
export const adminAnnouncementSchema = z
  .strictObject({
    id,
    /** As staff wrote it. */
    text: z.string(),
    /** HTML. */
    content: z.string(),
    starts_at: dateTime.nullable(),
    ends_at: dateTime.nullable(),
    all_day: z.boolean(),
    /** When it will be published by itself. */
    scheduled_at: dateTime.nullable(),
    /** Null while it is not published. */
    published_at: dateTime.nullable(),
  })
  .meta({ id: 'AdminAnnouncement' });
export type AdminAnnouncement = z.infer<typeof adminAnnouncementSchema>;

/** Published terms of service, without their text. */
export const adminTermsSchema = z
  .strictObject({ effective_date: date, effective: z.boolean(), succeeded_by: date.nullable() })
  .meta({ id: 'AdminTerms' });
export type AdminTerms = z.infer<typeof adminTermsSchema>;

/** A custom emoji of this server, listed or not. */
export const adminCustomEmojiSchema = z
  .strictObject({
    id,
    shortcode: z.string(),
    url,
    static_url: url,
    category: z.string().nullable(),
    visible_in_picker: z.boolean(),
    /** It is plain text in posts. */
    disabled: z.boolean(),
  })
  .meta({ id: 'AdminCustomEmoji' });
export type AdminCustomEmoji = z.infer<typeof adminCustomEmojiSchema>;

export const adminEmojiCategorySchema = z
  .strictObject({ category: z.string().nullable(), emojis_count: count })
  .meta({ id: 'AdminEmojiCategory' });
export type AdminEmojiCategory = z.infer<typeof adminEmojiCategorySchema>;

const audience = z.enum(['disabled', 'users', 'all']);
const app = z.strictObject({
  name: z.string(),
  platform: z.string(),
  description: z.string(),
  website: z.string(),
  address: z.string().optional(),
});

/** All settings of this server. */
export const adminSettingsSchema = z
  .strictObject({
    registrations: z.enum(['open', 'approved', 'closed']),
    /** HTML. */
    registrations_message: z.string(),
    timeline_preview: z.boolean(),
    trendable_by_default: z.boolean(),
    title: z.string(),
    short_description: z.string(),
    /** HTML. */
    extended_description: z.string(),
    /** HTML. */
    privacy_policy: z.string(),
    contact_email: z.string(),
    /** A username, or empty. */
    contact_account: z.string(),
    status_page_url: z.string(),
    languages: z.array(language),
    thumbnail: url.nullable(),
    thumbnail_description: z.string(),
    icon: url.nullable(),
    peers_api_enabled: z.boolean(),
    activity_api_enabled: z.boolean(),
    show_domain_blocks: audience,
    show_domain_blocks_rationale: audience,
    annual_reports: z.enum(['december', 'always', 'never']),
    /** Null for the apps that come with this version. */
    apps: z.array(app).nullable(),
    accent_color: z.string().nullable(),
    /** The names of the settings that are not what they were in the beginning. */
    changed: z.array(z.string()),
  })
  .meta({ id: 'AdminSettings' });
export type AdminSettings = z.infer<typeof adminSettingsSchema>;

/** A role, what it may do and who has it. */
export const adminRoleSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    /** The names of its permissions. */
    permissions: z.array(z.string()),
    /** The number of users who have it; null for the role of everyone. */
    users_count: count.nullable(),
    /** The first of them. */
    accounts: z.array(accountSchema),
  })
  .meta({ id: 'AdminRole' });
export type AdminRole = z.infer<typeof adminRoleSchema>;
