import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { isShortcode, MAX_SHORTCODE_LENGTH } from '#mastodon/shortcodes.ts';
import { id } from './common.ts';

/** One emoji of this server; the name of the stream keeps shortcodes unique. */
export const customEmojiStream = (shortcode: string): string => `custom-emoji-${shortcode}`;

/** The maximum: every process holds all of them in memory. */
export const MAX_CUSTOM_EMOJIS = 20_000;
export const MAX_CATEGORY_LENGTH = 100;

/** The NOTIFY channel that announces changed emoji rows. */
export const CUSTOM_EMOJIS_CHANNEL = 'rookery_custom_emojis';

const shortcode = z.string().max(MAX_SHORTCODE_LENGTH).refine(isShortcode);
const looks = {
  /** A picker shows the emojis of one category together; null for none. */
  category: z.string().max(MAX_CATEGORY_LENGTH).nullable(),
  /** False when it works in texts but pickers do not offer it. */
  visible_in_picker: z.boolean(),
  /** Keys of the media store. */
  image: z.object({ original: z.string().max(200), static: z.string().max(200) }),
};
const SAMPLE_IMAGE = {
  original: `ab/cd/abcd${'0'.repeat(60)}.gif`,
  static: `ef/01/ef01${'0'.repeat(60)}.png`,
};

export const CustomEmojiCreated = defineEvent({
  type: 'CustomEmojiCreated',
  version: 1,
  schema: z.object({ id, shortcode, ...looks }),
  samples: {
    1: {
      id: '109500000000000000',
      shortcode: 'blobcat',
      category: 'Blobs',
      visible_in_picker: true,
      image: SAMPLE_IMAGE,
    },
  },
});

/** Only what changed. */
export const CustomEmojiUpdated = defineEvent({
  type: 'CustomEmojiUpdated',
  version: 1,
  schema: z.object({
    shortcode,
    category: looks.category.optional(),
    visible_in_picker: looks.visible_in_picker.optional(),
    image: looks.image.optional(),
    /** True when it has no effect in texts and pickers do not offer it. */
    disabled: z.boolean().optional(),
  }),
  samples: { 1: { shortcode: 'blobcat', category: null, visible_in_picker: false, disabled: true } },
});

/** The name is free again. Its pictures stay, because other emojis may share them. */
export const CustomEmojiDeleted = defineEvent({
  type: 'CustomEmojiDeleted',
  version: 1,
  schema: z.object({ shortcode }),
  samples: { 1: { shortcode: 'blobcat' } },
});

export const customEmojiEvents = [CustomEmojiCreated, CustomEmojiUpdated, CustomEmojiDeleted];

export type CustomEmojiEvent = EventOf<(typeof customEmojiEvents)[number]>;
