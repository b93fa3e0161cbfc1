import { bigint, jsonText, table, text, textC, timestamptz } from '#kernel/table/index.ts';
import type { Change, Fields } from './changes.ts';

export const ENTRIES = table(
  'audit_entries',
  {
    position: bigint,
    event_id: text,
    created_at: timestamptz,
    action: text,
    actor_kind: text,
    actor_id: bigint.orNull,
    actor_role: text.orNull,
    actor_name: text.orNull,
    application_id: bigint.orNull,
    target_type: text,
    target_id: bigint.orNull,
    target_name: text.orNull,
    account_id: bigint.orNull,
    domain: textC.orNull,
    report_id: bigint.orNull,
    strike_id: bigint.orNull,
    note_id: bigint.orNull,
    appeal_id: bigint.orNull,
    changes: jsonText<readonly Change[]>(),
    command_id: text,
    correlation_id: text,
    causation_id: text.orNull,
  },
  ['position'],
);
/** Posts that an entry is about. */
export const STATUSES = table('audit_statuses', { status_id: bigint, position: bigint }, [
  'status_id',
  'position',
]);
/** The number of entries of a month (`2026-11`, UTC). */
export const MONTHS = table(
  'audit_months',
  { month: textC, action: textC, actor_kind: textC, entries: bigint },
  ['month', 'action', 'actor_kind'],
);
/** The present state of things, which the next change is compared with. */
export const STATES = table('audit_states', { key: textC, state: jsonText<Fields>() }, ['key']);
