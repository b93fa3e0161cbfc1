import { z } from 'zod';
import { customEmojiSchema } from './custom-emoji.ts';
import { count, dateTime, id, url } from './shared.ts';
import { statusTagSchema } from './status.ts';

/**
 * https://docs.joinmastodon.org/entities/Reaction/. URLs only for a custom emoji, `me` only for a signed-in
 * reader.
 */
export const reactionSchema = z
  .strictObject({
    name: z.string(),
    count,
    me: z.boolean().optional(),
    url: url.optional(),
    static_url: url.optional(),
  })
  .meta({ id: 'Reaction' });
export type Reaction = z.infer<typeof reactionSchema>;

export const announcementAccountSchema = z
  .strictObject({ id, username: z.string(), url, acct: z.string() })
  .meta({ id: 'AnnouncementAccount' });
export type AnnouncementAccount = z.infer<typeof announcementAccountSchema>;

export const announcementStatusSchema = z.strictObject({ id, url }).meta({ id: 'AnnouncementStatus' });
export type AnnouncementStatus = z.infer<typeof announcementStatusSchema>;

/** https://docs.joinmastodon.org/entities/Announcement/ */
export const announcementSchema = z
  .strictObject({
    id,
    content: z.string(),
    starts_at: dateTime.nullable(),
    ends_at: dateTime.nullable(),
    all_day: z.boolean(),
    published_at: dateTime,
    updated_at: dateTime,
    read: z.boolean().optional(),
    mentions: z.array(announcementAccountSchema),
    statuses: z.array(announcementStatusSchema),
    tags: z.array(statusTagSchema),
    emojis: z.array(customEmojiSchema),
    reactions: z.array(reactionSchema),
  })
  .meta({ id: 'Announcement' });
export type Announcement = z.infer<typeof announcementSchema>;
