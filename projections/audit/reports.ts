import {
  ReportAssigned,
  ReportFiled,
  ReportNoteAdded,
  ReportReopened,
  ReportResolved,
  ReportUnassigned,
  ReportUpdated,
} from '#events/reports.ts';
import type { EventDefinition } from '#kernel/event.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import type { AuditAction } from '#mastodon/audit-log.ts';
import { type Fields, pick } from './changes.ts';
import type { AuditDetails } from './entries.ts';
import { altered, audited, remembered } from './rule.ts';

interface OfReport {
  id: string;
}

const key = ({ id }: OfReport): string => `report/${id}`;

/** The account is unknown if an old log lacks the report. */
const accountOf = (before: Fields | null): string | null =>
  typeof before?.['account_id'] === 'string' ? before['account_id'] : null;

const about = (
  { id }: OfReport,
  before: Fields | null,
): Pick<AuditDetails, 'target' | 'account_id' | 'report_id'> => ({
  target: { type: 'report', id, name: null },
  account_id: accountOf(before),
  report_id: id,
});

const alters = <Type extends string, Data extends OfReport>(
  definition: EventDefinition<Type, Data>,
  action: AuditAction,
  fields: (data: Data) => Fields,
): BoundHandler =>
  audited(definition, {
    action,
    key,
    compares: true,
    describe: (data, before) => ({ ...about(data, before), ...altered(before, fields(data)) }),
  });

/** Users file reports; what staff do about them are details of the entry. */
export const reportHandlers: readonly BoundHandler[] = [
  remembered(ReportFiled, key, ({ target_account_id, category, rule_ids }) => ({
    account_id: target_account_id,
    category,
    rule_ids,
    assigned_account_id: null,
    action_taken: false,
  })),
  alters(ReportAssigned, 'report.assigned', ({ account_id }) => ({ assigned_account_id: account_id })),
  alters(ReportUnassigned, 'report.unassigned', () => ({ assigned_account_id: null })),
  alters(ReportResolved, 'report.resolved', () => ({ action_taken: true })),
  alters(ReportReopened, 'report.reopened', () => ({ action_taken: false })),
  alters(ReportUpdated, 'report.updated', (data) => pick(data, ['category', 'rule_ids'])),
  audited(ReportNoteAdded, {
    action: 'report_note.created',
    key,
    compares: true,
    describe: (data, before) => ({
      ...about(data, before),
      target: { type: 'report_note', id: data.note_id, name: null },
      note_id: data.note_id,
      changes: [],
    }),
  }),
];
