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
import { MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import {
  bigint,
  boolean,
  integer,
  jsonText,
  table,
  tablesOf,
  text,
  timestamptz,
  together,
} from '#kernel/table/index.ts';

export const REPORTS = table(
  'reports',
  {
    id: bigint,
    account_id: bigint,
    target_account_id: bigint,
    comment: text,
    forward: boolean,
    category: text,
    rule_ids: jsonText<readonly string[]>(),
    collection_ids: jsonText<readonly string[]>(),
    created_at: timestamptz,
    updated_at: timestamptz,
    assigned_account_id: bigint.nullAtFirst,
    action_taken_at: timestamptz.nullAtFirst,
    action_taken_by_account_id: bigint.nullAtFirst,
  },
  ['id'],
);
const STATUSES = table(
  'report_statuses',
  { report_id: bigint, place: integer, status_id: bigint, version_id: bigint },
  ['report_id', 'place'],
);
const MEDIA = table('report_media', { media_id: bigint, report_id: bigint }, ['media_id', 'report_id']);
const NOTES = table(
  'report_notes',
  { id: bigint, report_id: bigint, account_id: bigint, content: text, created_at: timestamptz },
  ['id'],
);
/** The subject and the reporter stay: they concern another user. */
const ERASE = statement(
  'reports_erase',
  `with notes as (update report_notes set content = '' where account_id = any($1::bigint[]) and content <> '')
   update reports set comment = '' where account_id = any($1::bigint[]) and comment <> ''`,
);

/** Events of different reports are independent. */
const keys = ({ data }: { data: { id: string } }): string[] => [data.id];

/** Reports with their evidence, the actions of staff, and notes of staff. */
export const reports: Projection = {
  name: 'reports',
  version: 2,
  group: MAIN,
  tables: tablesOf(REPORTS, STATUSES, MEDIA, NOTES),
  handlerIndexes: ['create index reports_account on reports (account_id, id desc)'],
  indexes: [
    'create index reports_open on reports (id) where action_taken_at is null',
    'create index reports_target on reports (target_account_id, id desc)',
    'create index report_notes_report on report_notes (report_id, id)',
  ],
  handlers: [
    on(ReportFiled, {
      keys,
      apply: together(
        REPORTS.insert().each(({ data, metadata: { time } }) => ({
          ...data,
          created_at: time,
          updated_at: time,
        })),
        STATUSES.insert().each(({ data: { id, statuses } }) =>
          statuses.map(({ id: status_id, version_id }, place) => ({
            report_id: id,
            place,
            status_id,
            version_id,
          })),
        ),
        MEDIA.add().each(({ data: { id, statuses } }) =>
          statuses.flatMap(({ media_ids }) => media_ids.map((media_id) => ({ media_id, report_id: id }))),
        ),
      ),
    }),
    on(ReportAssigned, {
      keys,
      apply: REPORTS.set('assigned_account_id', 'updated_at').each(({ data, metadata: { time } }) => ({
        id: data.id,
        assigned_account_id: data.account_id,
        updated_at: time,
      })),
    }),
    on(ReportUnassigned, {
      keys,
      apply: REPORTS.set('assigned_account_id', 'updated_at').each(({ data, metadata: { time } }) => ({
        id: data.id,
        assigned_account_id: null,
        updated_at: time,
      })),
    }),
    on(ReportResolved, {
      keys,
      apply: REPORTS.set('action_taken_at', 'action_taken_by_account_id', 'updated_at').each(
        ({ data, metadata: { time } }) => ({
          id: data.id,
          action_taken_at: time,
          action_taken_by_account_id: data.account_id,
          updated_at: time,
        }),
      ),
    }),
    on(ReportReopened, {
      keys,
      apply: REPORTS.set('action_taken_at', 'action_taken_by_account_id', 'updated_at').each(
        ({ data, metadata: { time } }) => ({
          id: data.id,
          action_taken_at: null,
          action_taken_by_account_id: null,
          updated_at: time,
        }),
      ),
    }),
    on(ReportUpdated, {
      keys,
      apply: REPORTS.patch('category', 'rule_ids', 'updated_at').each(({ data, metadata: { time } }) => ({
        ...data,
        updated_at: time,
      })),
    }),
    on(ReportNoteAdded, {
      keys,
      apply: together(
        NOTES.insert().each(({ data: { note_id, id, account_id, content }, metadata: { time } }) => ({
          id: note_id,
          report_id: id,
          account_id,
          content,
          created_at: time,
        })),
        REPORTS.set('updated_at').each(({ data, metadata: { time } }) => ({ ...data, updated_at: time })),
      ),
    }),
    onAccounts(PersonalDataErased, ERASE),
  ],
};
