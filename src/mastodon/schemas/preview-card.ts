import { z } from 'zod';
import { accountSchema } from './account.ts';
import { count, dateTime, id, url, urlOrEmpty, usageDaySchema } from './shared.ts';

/** https://docs.joinmastodon.org/entities/PreviewCardAuthor/ */
export const previewCardAuthorSchema = z
  .strictObject({ name: z.string(), url: urlOrEmpty, account: accountSchema.nullable() })
  .meta({ id: 'PreviewCardAuthor' });
export type PreviewCardAuthor = z.infer<typeof previewCardAuthorSchema>;

/** https://docs.joinmastodon.org/entities/PreviewCard/. Unknown texts are empty, not null. */
export const previewCardSchema = z
  .strictObject({
    url,
    title: z.string(),
    description: z.string(),
    /** Undocumented, sent by Mastodon since 4.3: the language of the page. */
    language: z.string().nullable(),
    type: z.enum(['link', 'photo', 'video', 'rich']),
    authors: z.array(previewCardAuthorSchema),
    author_name: z.string(),
    author_url: urlOrEmpty,
    provider_name: z.string(),
    provider_url: urlOrEmpty,
    html: z.string(),
    width: count,
    height: count,
    image: url.nullable(),
    /** Undocumented, sent by Mastodon since 4.2: apps show it as alternative text. */
    image_description: z.string().optional(),
    embed_url: urlOrEmpty,
    blurhash: z.string().nullable(),
    missing_attribution: z.boolean().nullable().optional(),
    published_at: dateTime.nullable(),
  })
  .meta({ id: 'PreviewCard' });
export type PreviewCard = z.infer<typeof previewCardSchema>;

/** A card with its use in recent days: https://docs.joinmastodon.org/entities/PreviewCard/#trends-link */
export const trendsLinkSchema = previewCardSchema
  .extend({ history: z.array(usageDaySchema) })
  .meta({ id: 'TrendsLink' });
export type TrendsLink = z.infer<typeof trendsLinkSchema>;

/** A trending link for staff, in Mastodon's form. */
export const adminTrendsLinkSchema = trendsLinkSchema
  .extend({ id, requires_review: z.boolean() })
  .meta({ id: 'AdminTrendsLink' });
export type AdminTrendsLink = z.infer<typeof adminTrendsLinkSchema>;

/** A publisher of links for staff, in Mastodon's form. */
export const previewCardProviderSchema = z
  .strictObject({
    id,
    domain: z.string(),
    trendable: z.boolean().nullable(),
    reviewed_at: dateTime.nullable(),
    requested_review_at: dateTime.nullable(),
    requires_review: z.boolean(),
  })
  .meta({ id: 'PreviewCardProvider' });
export type PreviewCardProvider = z.infer<typeof previewCardProviderSchema>;
