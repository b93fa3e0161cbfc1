import { z } from 'zod';
import { accountSchema } from './account.ts';
import { collectionSchema } from './collection.ts';
import { customEmojiSchema } from './custom-emoji.ts';
import { filterResultSchema } from './filter.ts';
import { mediaAttachmentSchema } from './media-attachment.ts';
import { pollSchema } from './poll.ts';
import { previewCardSchema } from './preview-card.ts';
import { quoteApprovalSchema, quoteStateSchema, shallowQuoteSchema } from './quote.ts';
import { count, dateTime, id, language, url, visibilitySchema } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Status/#Mention */
export const statusMentionSchema = z
  .strictObject({ id, username: z.string(), url, acct: z.string() })
  .meta({ id: 'StatusMention' });
export type StatusMention = z.infer<typeof statusMentionSchema>;

/** https://docs.joinmastodon.org/entities/Status/#Tag */
export const statusTagSchema = z.strictObject({ name: z.string(), url }).meta({ id: 'StatusTag' });
export type StatusTag = z.infer<typeof statusTagSchema>;

/** https://docs.joinmastodon.org/entities/Status/ of Mastodon 4.5, with the optional members of 4.6. */
export const statusSchema = z
  .strictObject({
    id,
    uri: z.string(),
    created_at: dateTime,
    account: accountSchema,
    content: z.string(),
    visibility: visibilitySchema,
    sensitive: z.boolean(),
    spoiler_text: z.string(),
    media_attachments: z.array(mediaAttachmentSchema),
    /** Absent for remote statuses, and when the author hides it. */
    application: z.strictObject({ name: z.string(), website: url.nullable() }).nullable().optional(),
    mentions: z.array(statusMentionSchema),
    tags: z.array(statusTagSchema),
    emojis: z.array(customEmojiSchema),
    reblogs_count: count,
    favourites_count: count,
    quotes_count: count,
    replies_count: count,
    url: url.nullable(),
    in_reply_to_id: id.nullable(),
    in_reply_to_account_id: id.nullable(),
    get reblog(): z.ZodNullable<typeof statusSchema> {
      return statusSchema.nullable();
    },
    poll: pollSchema.nullable(),
    card: previewCardSchema.nullable(),
    language: language.nullable(),
    edited_at: dateTime.nullable(),
    get quote(): z.ZodNullable<AnyQuote> {
      return z.union([quoteSchema, shallowQuoteSchema]).nullable();
    },
    quote_approval: quoteApprovalSchema,
    /** These six only for a signed-in reader; `pinned` only on own statuses. */
    favourited: z.boolean().optional(),
    reblogged: z.boolean().optional(),
    muted: z.boolean().optional(),
    bookmarked: z.boolean().optional(),
    pinned: z.boolean().optional(),
    filtered: z.array(filterResultSchema).optional(),
    tagged_collections: z.array(collectionSchema),
  })
  .meta({ id: 'Status' });
export type Status = z.infer<typeof statusSchema>;

/** https://docs.joinmastodon.org/entities/Quote/ */
export const quoteSchema = z
  .strictObject({
    state: quoteStateSchema,
    get quoted_status(): z.ZodNullable<typeof statusSchema> {
      return statusSchema.nullable();
    },
  })
  .meta({ id: 'Quote' });
export type Quote = z.infer<typeof quoteSchema>;

type AnyQuote = z.ZodUnion<readonly [typeof quoteSchema, typeof shallowQuoteSchema]>;

/** The reply to deleting a status: the source `text` in place of `content`, for a redraft. */
export const deletedStatusSchema = statusSchema
  .omit({ content: true })
  .extend({ text: z.string() })
  .meta({ id: 'DeletedStatus' });
export type DeletedStatus = z.infer<typeof deletedStatusSchema>;

/** A trending post for staff, in Mastodon's form. */
export const adminTrendsStatusSchema = statusSchema
  .extend({ requires_review: z.boolean() })
  .meta({ id: 'AdminTrendsStatus' });
export type AdminTrendsStatus = z.infer<typeof adminTrendsStatusSchema>;

/** https://docs.joinmastodon.org/entities/Context/ */
export const contextSchema = z
  .strictObject({ ancestors: z.array(statusSchema), descendants: z.array(statusSchema) })
  .meta({ id: 'Context' });
export type Context = z.infer<typeof contextSchema>;

/** The source for an editor: https://docs.joinmastodon.org/entities/StatusSource/ */
export const statusSourceSchema = z
  .strictObject({ id, text: z.string(), spoiler_text: z.string() })
  .meta({ id: 'StatusSource' });
export type StatusSource = z.infer<typeof statusSourceSchema>;

/** One revision of a status: https://docs.joinmastodon.org/entities/StatusEdit/ */
export const statusEditSchema = z
  .strictObject({
    content: z.string(),
    spoiler_text: z.string(),
    sensitive: z.boolean(),
    created_at: dateTime,
    account: accountSchema,
    poll: z.strictObject({ options: z.array(z.strictObject({ title: z.string() })) }).optional(),
    media_attachments: z.array(mediaAttachmentSchema),
    emojis: z.array(customEmojiSchema),
    get quote(): z.ZodOptional<z.ZodNullable<AnyQuote>> {
      return z.union([quoteSchema, shallowQuoteSchema]).nullable().optional();
    },
  })
  .meta({ id: 'StatusEdit' });
export type StatusEdit = z.infer<typeof statusEditSchema>;
