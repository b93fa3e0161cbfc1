import { z } from 'zod';
import { mediaAttachmentSchema } from './media-attachment.ts';
import { count, dateTime, id, language, quotePolicySchema, visibilitySchema } from './shared.ts';

/** https://docs.joinmastodon.org/entities/ScheduledStatus/ */
export const scheduledStatusSchema = z
  .strictObject({
    id,
    scheduled_at: dateTime,
    params: z.strictObject({
      text: z.string(),
      poll: z
        .strictObject({
          options: z.array(z.string()),
          expires_in: count,
          multiple: z.boolean(),
          hide_totals: z.boolean(),
        })
        .nullable(),
      media_ids: z.array(id).nullable(),
      sensitive: z.boolean().nullable(),
      spoiler_text: z.string().nullable(),
      visibility: visibilitySchema,
      /**
       * Numbers in Mastodon and in its clients' types. Beyond 2^53 they lose digits, so these ids stay texts.
       */
      in_reply_to_id: id.nullable(),
      language: language.nullable(),
      /** A number, as clients expect it; JavaScript loses its last digits. */
      application_id: z.number().nullable(),
      scheduled_at: z.null(),
      idempotency: z.string().nullable(),
      with_rate_limit: z.boolean(),
      quoted_status_id: id.nullable().optional(),
      quote_approval_policy: quotePolicySchema,
      allowed_mentions: z.array(id).nullable(),
    }),
    media_attachments: z.array(mediaAttachmentSchema),
  })
  .meta({ id: 'ScheduledStatus' });
export type ScheduledStatus = z.infer<typeof scheduledStatusSchema>;
