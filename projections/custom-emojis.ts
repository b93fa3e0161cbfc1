import {
  CUSTOM_EMOJIS_CHANNEL,
  CustomEmojiCreated,
  CustomEmojiDeleted,
  CustomEmojiUpdated,
} from '#events/custom-emojis.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'custom_emojis_insert',
  `insert into custom_emojis (shortcode, id, category, visible_in_picker, image, static_image)
   select * from unnest($1::text[], $2::bigint[], $3::text[], $4::bool[], $5::text[], $6::text[])`,
);
/** A category may become null, so a separate value tells whether it changes. */
const UPDATE = statement(
  'custom_emojis_update',
  `update custom_emojis e set
     category = case when n.recategorized then n.category else e.category end,
     visible_in_picker = coalesce(n.visible_in_picker, e.visible_in_picker),
     image = coalesce(n.image, e.image),
     static_image = coalesce(n.static_image, e.static_image),
     disabled = coalesce(n.disabled, e.disabled)
   from unnest($1::text[], $2::bool[], $3::text[], $4::bool[], $5::text[], $6::text[], $7::bool[])
     as n (shortcode, recategorized, category, visible_in_picker, image, static_image, disabled)
   where e.shortcode = n.shortcode`,
);
const DELETE = statement('custom_emojis_delete', 'delete from custom_emojis where shortcode = any($1)');
/** Postgres announces it when the rows are committed, so listeners find them. */
const ANNOUNCE = statement('custom_emojis_announce', `select pg_notify('${CUSTOM_EMOJIS_CHANNEL}', '')`);

/** A row of `custom_emojis`. */
export interface CustomEmojiRow {
  shortcode: string;
  id: string;
  category: string | null;
  visible_in_picker: boolean;
  disabled: boolean;
  image: string;
  static_image: string;
}

/** The emojis of this server. */
export const customEmojis: Projection = {
  name: 'custom-emojis',
  version: 1,
  group: MAIN,
  tables: {
    custom_emojis: `
      shortcode text collate "C" primary key,
      id bigint not null,
      category text,
      visible_in_picker boolean not null,
      disabled boolean not null default false,
      image text not null,
      static_image text not null`,
  },
  indexes: [],
  handlers: [
    on(CustomEmojiCreated, {
      keys: ({ data }) => [data.shortcode],
      apply: async (events, db) => {
        await db.query(INSERT, [
          events.map(({ data }) => data.shortcode),
          events.map(({ data }) => data.id),
          events.map(({ data }) => data.category),
          events.map(({ data }) => data.visible_in_picker),
          events.map(({ data }) => data.image.original),
          events.map(({ data }) => data.image.static),
        ]);
        await db.query(ANNOUNCE);
      },
    }),
    on(CustomEmojiUpdated, {
      keys: ({ data }) => [data.shortcode],
      apply: async (events, db) => {
        await db.query(UPDATE, [
          events.map(({ data }) => data.shortcode),
          events.map(({ data }) => data.category !== undefined),
          events.map(({ data }) => data.category ?? null),
          events.map(({ data }) => data.visible_in_picker ?? null),
          events.map(({ data }) => data.image?.original ?? null),
          events.map(({ data }) => data.image?.static ?? null),
          events.map(({ data }) => data.disabled ?? null),
        ]);
        await db.query(ANNOUNCE);
      },
    }),
    on(CustomEmojiDeleted, {
      keys: ({ data }) => [data.shortcode],
      apply: async (events, db) => {
        await db.query(DELETE, [events.map(({ data }) => data.shortcode)]);
        await db.query(ANNOUNCE);
      },
    }),
  ],
};
