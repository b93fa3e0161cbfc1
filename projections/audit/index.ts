import { MAIN, type Projection } from '#kernel/projection.ts';
import { tablesOf } from '#kernel/table/index.ts';
import { accountHandlers } from './accounts.ts';
import { alertHandlers } from './alerts.ts';
import { appealHandlers } from './appeals.ts';
import { blockHandlers } from './blocks.ts';
import { instanceHandlers } from './instance.ts';
import { operationHandlers } from './operation.ts';
import { otherHandlers } from './others.ts';
import { projectionHandlers } from './projections.ts';
import { relayHandlers } from './relays.ts';
import { reportHandlers } from './reports.ts';
import { serverHandlers } from './server.ts';
import { statusHandlers } from './statuses.ts';
import { ENTRIES, MONTHS, STATES, STATUSES } from './tables.ts';

export type { Change } from './changes.ts';

/**
 * The actions of staff, the operator and automations, one entry each, with the values before. For posts it
 * records only what staff do. It contains no personal data: reasons, notes and address ranges are joined when
 * reading, from read models that forget them.
 */
export const audit: Projection = {
  name: 'audit',
  version: 23,
  group: MAIN,
  tables: tablesOf(ENTRIES, STATUSES, MONTHS, STATES),
  handlerIndexes: [
    'create index audit_entries_account on audit_entries (account_id, position) where account_id is not null',
  ],
  indexes: [
    'create index audit_entries_actor on audit_entries (actor_id, position) where actor_id is not null',
    'create index audit_entries_role on audit_entries (actor_role, position) where actor_role is not null',
    'create index audit_entries_kind on audit_entries (actor_kind, position)',
    'create index audit_entries_application on audit_entries (application_id, position) where application_id is not null',
    'create index audit_entries_report on audit_entries (report_id, position) where report_id is not null',
    'create index audit_entries_domain on audit_entries (domain, position) where domain is not null',
    'create index audit_entries_action on audit_entries (action, position)',
    'create index audit_entries_correlation on audit_entries (correlation_id, position)',
    'create index audit_entries_created_at on audit_entries (created_at)',
    'create index audit_statuses_position on audit_statuses (position, status_id)',
  ],
  handlers: [
    ...accountHandlers,
    ...alertHandlers,
    ...appealHandlers,
    ...reportHandlers,
    ...statusHandlers,
    ...blockHandlers,
    ...operationHandlers,
    ...projectionHandlers,
    ...relayHandlers,
    ...instanceHandlers,
    ...otherHandlers,
    ...serverHandlers,
  ],
};
