import {
  AnnouncementCreated,
  AnnouncementDeleted,
  AnnouncementPublished,
  AnnouncementUnpublished,
  AnnouncementUpdated,
} from '#events/announcements.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { ANNOUNCEMENT_KEYS, readerHandlers, readerTables } from './readers.ts';

const INSERT = statement(
  'announcements_insert',
  `insert into announcements (id, content, created_at, updated_at) values ($1, $2::jsonb, $3, $3)`,
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
const UNPUBLISH = statement(
  'announcements_unpublish',
  'update announcements set published_at = null where id = $1',
);
const DELETE = statement(
  'announcements_delete',
  `with gone as (delete from announcements where id = $1),
     dismissals as (delete from announcement_dismissals where announcement_id = $1),
     reactions as (delete from announcement_reactions where announcement_id = $1)
   delete from announcement_reaction_counts where announcement_id = $1`,
);

/**
 * Announcements, their readers, and the count of each reaction. There are few announcements, so each event is
 * a statement of its own; there may be many events of readers.
 */
export const announcements: Projection = {
  name: 'announcements',
  version: 2,
  group: MAIN,
  tables: {
    announcements: `
      id bigint primary key,
      content jsonb not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      published_at timestamptz`,
    ...readerTables,
  },
  indexes: [],
  handlers: [
    on(AnnouncementCreated, {
      keys: ANNOUNCEMENT_KEYS,
      apply: async (events, db) => {
        for (const { data } of events) {
          const { announcement_id, created_at, ...content } = data;
          await db.query(INSERT, [announcement_id, JSON.stringify(content), created_at]);
        }
      },
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
      apply: async (events, db) => {
        for (const { data } of events) await db.query(UNPUBLISH, [data.announcement_id]);
      },
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
