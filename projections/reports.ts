import { PersonalDataErased } from '#events/erasure.ts';
import {
  ReportAssigned,
  ReportFiled,
  ReportNoteAdded,
  ReportReopened,
  ReportResolved,
  ReportUnassigned,
  ReportUpdated,
} from '#events/reports.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';

const INSERT = statement(
  'reports_insert',
  `insert into reports (id, account_id, target_account_id, comment, forward, category, rule_ids, collection_ids, created_at,
     updated_at)
   select *, created_at from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bool[], $6::text[], $7::text[],
     $8::text[], $9::timestamptz[])
     as n (id, account_id, target_account_id, comment, forward, category, rule_ids, collection_ids, created_at)`,
);
const INSERT_STATUSES = statement(
  'report_statuses_insert',
  `insert into report_statuses (report_id, place, status_id, version_id)
   select * from unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[])`,
);
const INSERT_MEDIA = statement(
  'report_media_insert',
  `insert into report_media (media_id, report_id) select * from unnest($1::bigint[], $2::bigint[])
   on conflict do nothing`,
);
const CHANGES = `unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) as n (id, account_id, at) where r.id = n.id`;
const ASSIGN = statement(
  'reports_assign',
  `update reports r set assigned_account_id = n.account_id, updated_at = n.at from ${CHANGES}`,
);
const UNASSIGN = statement(
  'reports_unassign',
  `update reports r set assigned_account_id = null, updated_at = n.at from ${CHANGES}`,
);
const RESOLVE = statement(
  'reports_resolve',
  `update reports r set action_taken_at = n.at, action_taken_by_account_id = n.account_id, updated_at = n.at from ${CHANGES}`,
);
const REOPEN = statement(
  'reports_reopen',
  `update reports r set action_taken_at = null, action_taken_by_account_id = null, updated_at = n.at from ${CHANGES}`,
);
const UPDATE = statement(
  'reports_update',
  `update reports r set category = coalesce(n.category, r.category), rule_ids = coalesce(n.rule_ids, r.rule_ids),
     updated_at = n.at
   from unnest($1::bigint[], $2::text[], $3::text[], $4::timestamptz[]) as n (id, category, rule_ids, at)
   where r.id = n.id`,
);
const NOTE = statement(
  'report_notes_insert',
  `insert into report_notes (id, report_id, account_id, content, created_at)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[])`,
);
/** The subject and the reporter stay: they concern another user. */
const ERASE = statement(
  'reports_erase',
  `with notes as (update report_notes set content = '' where account_id = any($1::bigint[]) and content <> '')
   update reports set comment = '' where account_id = any($1::bigint[]) and comment <> ''`,
);
const TOUCH = statement('reports_touch', `update reports r set updated_at = n.at from ${CHANGES}`);

type OnReport = RecordedEvent<string, { id: string; account_id: string | null }>;

/** Events of different reports are independent. */
const keys = ({ data }: { data: { id: string } }): string[] => [data.id];
const changes = (events: readonly OnReport[]): unknown[][] => [
  events.map(({ data }) => data.id),
  events.map(({ data }) => data.account_id),
  events.map(({ metadata }) => metadata.time),
];
/** A handler for an event that names only its actor. */
const by = (change: Statement) => ({
  keys,
  apply: async (events: readonly OnReport[], db: Db) => {
    await db.query(change, changes(events));
  },
});

/** Reports with their evidence, the actions of staff, and notes of staff. */
export const reports: Projection = {
  name: 'reports',
  version: 2,
  group: MAIN,
  tables: {
    /** `rule_ids` and `collection_ids` are JSON lists of texts. */
    reports: `
      id bigint primary key,
      account_id bigint not null,
      target_account_id bigint not null,
      comment text not null,
      forward boolean not null,
      category text not null,
      rule_ids text not null,
      collection_ids text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      assigned_account_id bigint,
      action_taken_at timestamptz,
      action_taken_by_account_id bigint`,
    report_statuses: `
      report_id bigint,
      place integer,
      status_id bigint not null,
      version_id bigint not null,
      primary key (report_id, place)`,
    report_media: `
      media_id bigint,
      report_id bigint,
      primary key (media_id, report_id)`,
    report_notes: `
      id bigint primary key,
      report_id bigint not null,
      account_id bigint not null,
      content text not null,
      created_at timestamptz not null`,
  },
  handlerIndexes: ['create index reports_account on reports (account_id, id desc)'],
  indexes: [
    'create index reports_open on reports (id) where action_taken_at is null',
    'create index reports_target on reports (target_account_id, id desc)',
    'create index report_notes_report on report_notes (report_id, id)',
  ],
  handlers: [
    on(ReportFiled, {
      keys,
      apply: async (events, db) => {
        const filed = events.map(({ data }) => data);
        await db.query(INSERT, [
          filed.map(({ id }) => id),
          filed.map(({ account_id }) => account_id),
          filed.map(({ target_account_id }) => target_account_id),
          filed.map(({ comment }) => comment),
          filed.map(({ forward }) => forward),
          filed.map(({ category }) => category),
          filed.map(({ rule_ids }) => JSON.stringify(rule_ids)),
          filed.map(({ collection_ids }) => JSON.stringify(collection_ids)),
          events.map(({ metadata }) => metadata.time),
        ]);
        const reported = filed.flatMap(({ id, statuses }) =>
          statuses.map((status, place) => ({ report_id: id, place, ...status })),
        );
        if (reported.length === 0) return;
        const media = reported.flatMap(({ report_id, media_ids }) =>
          media_ids.map((media_id) => ({ media_id, report_id })),
        );
        const attached = [media.map(({ media_id }) => media_id), media.map(({ report_id }) => report_id)];
        await Promise.all([
          db.query(INSERT_STATUSES, [
            reported.map(({ report_id }) => report_id),
            reported.map(({ place }) => place),
            reported.map(({ id }) => id),
            reported.map(({ version_id }) => version_id),
          ]),
          db.query(INSERT_MEDIA, attached),
        ]);
      },
    }),
    on(ReportAssigned, by(ASSIGN)),
    on(ReportUnassigned, by(UNASSIGN)),
    on(ReportResolved, by(RESOLVE)),
    on(ReportReopened, by(REOPEN)),
    on(ReportUpdated, {
      keys,
      apply: async (events, db) => {
        await db.query(UPDATE, [
          events.map(({ data }) => data.id),
          events.map(({ data }) => data.category ?? null),
          events.map(({ data }) => (data.rule_ids ? JSON.stringify(data.rule_ids) : null)),
          events.map(({ metadata }) => metadata.time),
        ]);
      },
    }),
    on(ReportNoteAdded, {
      keys,
      apply: async (events, db) => {
        await db.query(NOTE, [
          events.map(({ data }) => data.note_id),
          events.map(({ data }) => data.id),
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.content),
          events.map(({ metadata }) => metadata.time),
        ]);
        await db.query(TOUCH, changes(events));
      },
    }),
    onAccounts(PersonalDataErased, ERASE),
  ],
};
