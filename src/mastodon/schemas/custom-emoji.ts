import { z } from 'zod';
import { url } from './shared.ts';

/** https://docs.joinmastodon.org/entities/CustomEmoji/ */
export const customEmojiSchema = z
  .strictObject({
    shortcode: z.string(),
    url,
    static_url: url,
    visible_in_picker: z.boolean(),
    category: z.string().nullable().optional(),
    featured: z.boolean().optional(),
  })
  .meta({ id: 'CustomEmoji' });
export type CustomEmoji = z.infer<typeof customEmojiSchema>;
