import { MAX_CUSTOM_EMOJIS } from '#events/custom-emojis.ts';
import { type Db, despite, statement } from '#kernel/read.ts';
import type { CustomEmojiRow } from '#projections/custom-emojis.ts';

const ALL = statement<CustomEmojiRow>(
  'custom_emojis_all',
  `select shortcode, id, category, visible_in_picker, disabled, image, static_image from custom_emojis
   order by shortcode limit ${MAX_CUSTOM_EMOJIS}`,
);

/** Returns every emoji of this server, including disabled ones, by shortcode. */
export const allCustomEmojis = (db: Db): Promise<CustomEmojiRow[]> => db.query(ALL);

const LAST = despite(['custom-emojis'], ALL);

/** Returns the same; while the read model is halted, those of that time. */
export const lastCustomEmojis = (db: Db): Promise<CustomEmojiRow[]> => db.query<CustomEmojiRow>(LAST);
