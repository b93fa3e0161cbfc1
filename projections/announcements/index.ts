import {
  AnnouncementCreated,
  AnnouncementDeleted,
  AnnouncementPublished,
  AnnouncementUnpublished,
  AnnouncementUpdated,
} from '#events/announcements.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { bigint, jsonb, table, tablesOf, timestamptz } from '#kernel/table/index.ts';
import { ANNOUNCEMENT_KEYS, READER_TABLES, readerHandlers } from './readers.ts';

const ANNOUNCEMENTS = table(
  'announcements',
  {
    id: bigint,
    content: jsonb<object>(),
    created_at: timestamptz,
    updated_at: timestamptz,
    published_at: timestamptz.nullAtFirst,
  },
  ['id'],
);
const UPDATE = statement(
  'announcements_update',
  'update announcements set content = content || $2::jsonb, updated_at = $3 where id = $1',
);
const PUBLISH = statement(
  'announcements_publish',
  `update announcements set published_at = $2, updated_at = $2, content = content || '{"scheduled_at": null}'
   where id = $1`,
);
const DELETE = statement(
  'announcements_delete',
  `with gone as (delete from announcements where id = $1),
     dismissals as (delete from announcement_dismissals where announcement_id = $1),
     reactions as (delete from announcement_reactions where announcement_id = $1)
   delete from announcement_reaction_counts where announcement_id = $1`,
);

/**
 * Announcements, their readers, and the count of each reaction. There are few announcements, so most of their events
 * are a statement of their own; there may be many events of readers.
 */
export const announcements: Projection = {
  name: 'announcements',
  version: 2,
  group: MAIN,
  tables: tablesOf(ANNOUNCEMENTS, ...READER_TABLES),
  indexes: [],
  handlers: [
    on(AnnouncementCreated, {
      keys: ANNOUNCEMENT_KEYS,
      apply: ANNOUNCEMENTS.insert().each(({ data: { announcement_id: id, created_at, ...content } }) => ({
        id,
        content,
        created_at,
        updated_at: created_at,
      })),
    }),
    on(AnnouncementUpdated, {
      keys: ANNOUNCEMENT_KEYS,
      apply: async (events, db) => {
        for (const { data } of events) {
          const { announcement_id, updated_at, ...changes } = data;
          await db.query(UPDATE, [announcement_id, JSON.stringify(changes), updated_at]);
        }
      },
    }),
    on(AnnouncementPublished, {
      keys: ANNOUNCEMENT_KEYS,
      apply: async (events, db) => {
        for (const { data } of events) await db.query(PUBLISH, [data.announcement_id, data.published_at]);
      },
    }),
    on(AnnouncementUnpublished, {
      keys: ANNOUNCEMENT_KEYS,
      apply: ANNOUNCEMENTS.set('published_at').each(({ data }) => ({
        id: data.announcement_id,
        published_at: null,
      })),
    }),
    on(AnnouncementDeleted, {
      keys: ANNOUNCEMENT_KEYS,
      apply: async (events, db) => {
        for (const { data } of events) await db.query(DELETE, [data.announcement_id]);
      },
    }),
    ...readerHandlers,
  ],
};
