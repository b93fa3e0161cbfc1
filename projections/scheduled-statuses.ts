import { PersonalDataErased } from '#events/erasure.ts';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import {
  ScheduledStatusCancelled,
  ScheduledStatusMediaEdited,
  ScheduledStatusPublished,
  ScheduledStatusRescheduled,
  StatusScheduled,
} from '#events/scheduled-statuses.ts';
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';

/** A row of `scheduled_statuses`. */
export interface ScheduledStatusRow {
  id: string;
  account_id: string;
  application_id: string | null;
  scheduled_at: string;
  /** JSON of `ScheduledParams`. */
  params: string;
  media_ids: string[];
}

const INSERT = statement(
  'scheduled_statuses_insert',
  `insert into scheduled_statuses (id, account_id, application_id, scheduled_at, params, media_ids)
   select id, account_id, application_id, scheduled_at, params, media_ids::bigint[]
   from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[])
     as n (id, account_id, application_id, scheduled_at, params, media_ids)`,
);
const RESCHEDULE = statement(
  'scheduled_statuses_reschedule',
  `update scheduled_statuses s set scheduled_at = n.scheduled_at
   from unnest($1::bigint[], $2::timestamptz[]) as n (id, scheduled_at) where s.id = n.id`,
);
const EDIT_MEDIA = statement(
  'scheduled_statuses_edit_media',
  `update scheduled_statuses s set media_ids = n.media_ids::bigint[]
   from unnest($1::bigint[], $2::text[]) as n (id, media_ids) where s.id = n.id`,
);
const DELETE = statement('scheduled_statuses_delete', 'delete from scheduled_statuses where id = any($1)');

const keys = ({ data }: { data: { id: string } }): string[] => [data.id];
/** Postgres has no arrays of arrays, so each list is sent as the text of one. */
const idsOf = (media: readonly MediaAttachmentData[]): string => `{${media.map(({ id }) => id).join(',')}}`;

const remove = {
  keys,
  apply: async (events: readonly { data: { id: string } }[], db: Db) => {
    await db.query(DELETE, [events.map(({ data }) => data.id)]);
  },
};

/** Scheduled posts. Published and cancelled ones are removed. */
export const scheduledStatuses: Projection = {
  name: 'scheduled-statuses',
  version: 4,
  group: MAIN,
  tables: {
    scheduled_statuses: `
      id bigint primary key,
      account_id bigint not null,
      application_id bigint,
      scheduled_at timestamptz not null,
      params text not null,
      media_ids bigint[] not null`,
  },
  handlerIndexes: ['create index scheduled_statuses_account_id on scheduled_statuses (account_id, id)'],
  indexes: ['create index scheduled_statuses_scheduled_at on scheduled_statuses (scheduled_at)'],
  handlers: [
    on(StatusScheduled, {
      keys,
      apply: async (events, db) => {
        const rows = events.map(({ data }) => data);
        await db.query(INSERT, [
          rows.map(({ id }) => id),
          rows.map(({ account_id }) => account_id),
          rows.map(({ application_id }) => application_id),
          rows.map(({ scheduled_at }) => scheduled_at),
          rows.map(({ params }) => JSON.stringify(params)),
          rows.map(({ media }) => idsOf(media)),
        ]);
      },
    }),
    on(ScheduledStatusRescheduled, {
      keys,
      apply: async (events, db) => {
        await db.query(RESCHEDULE, columns(events, 'id', 'scheduled_at'));
      },
    }),
    on(ScheduledStatusMediaEdited, {
      keys,
      apply: async (events, db) => {
        await db.query(EDIT_MEDIA, [
          events.map(({ data }) => data.id),
          events.map(({ data }) => idsOf(data.media)),
        ]);
      },
    }),
    on(ScheduledStatusCancelled, remove),
    on(ScheduledStatusPublished, remove),
    onAccounts(PersonalDataErased, deleteRowsOf('scheduled_statuses')),
  ],
};
