import { z } from 'zod';
import { date, id, url, usageDaySchema } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Tag/. The last two only for a signed-in reader. */
export const tagSchema = z
  .strictObject({
    id,
    name: z.string(),
    url,
    history: z.array(usageDaySchema),
    following: z.boolean().optional(),
    featuring: z.boolean().optional(),
  })
  .meta({ id: 'Tag' });
export type Tag = z.infer<typeof tagSchema>;

/** A hashtag for staff: https://docs.joinmastodon.org/entities/Tag/#admin */
export const adminTagSchema = tagSchema
  .extend({ trendable: z.boolean(), usable: z.boolean(), requires_review: z.boolean() })
  .meta({ id: 'AdminTag' });
export type AdminTag = z.infer<typeof adminTagSchema>;

/** https://docs.joinmastodon.org/entities/FeaturedTag/. The count is a text, as clients expect it. */
export const featuredTagSchema = z
  .strictObject({
    id,
    name: z.string(),
    url,
    statuses_count: z.string().regex(/^[0-9]+$/),
    last_status_at: date.nullable(),
  })
  .meta({ id: 'FeaturedTag' });
export type FeaturedTag = z.infer<typeof featuredTagSchema>;
