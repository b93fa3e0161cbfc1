import {
  CUSTOM_EMOJIS_CHANNEL,
  CustomEmojiCreated,
  CustomEmojiDeleted,
  CustomEmojiUpdated,
} from '#events/custom-emojis.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { bigint, boolean, type RowOf, table, tablesOf, text, textC, together } from '#kernel/table/index.ts';

const EMOJIS = table(
  'custom_emojis',
  {
    shortcode: textC,
    id: bigint,
    category: text.orNull,
    visible_in_picker: boolean,
    disabled: boolean.defaultsTo('false'),
    image: text,
    static_image: text,
  },
  ['shortcode'],
);
/** Postgres announces it when the rows are committed, so listeners find them. */
const ANNOUNCE = statement('custom_emojis_announce', `select pg_notify('${CUSTOM_EMOJIS_CHANNEL}', '')`);

export type CustomEmojiRow = RowOf<typeof EMOJIS>;

const keys = ({ data }: { data: { shortcode: string } }): string[] => [data.shortcode];

/** The emojis of this server. */
export const customEmojis: Projection = {
  name: 'custom-emojis',
  version: 1,
  group: MAIN,
  tables: tablesOf(EMOJIS),
  indexes: [],
  handlers: [
    on(CustomEmojiCreated, {
      keys,
      apply: together(
        EMOJIS.insert().each(({ data }) => ({
          ...data,
          image: data.image.original,
          static_image: data.image.static,
        })),
        ANNOUNCE,
      ),
    }),
    on(CustomEmojiUpdated, {
      keys,
      apply: together(
        EMOJIS.patch('category', 'visible_in_picker', 'image', 'static_image', 'disabled').each(
          ({ data }) => ({ ...data, image: data.image?.original, static_image: data.image?.static }),
        ),
        ANNOUNCE,
      ),
    }),
    on(CustomEmojiDeleted, {
      keys,
      apply: together(
        EMOJIS.remove().each(({ data }) => data),
        ANNOUNCE,
      ),
    }),
  ],
};
