import {
  AccessTokensSealed,
  AuditExported,
  AuditViewed,
  BackupRestored,
  EventDamageFound,
  LogDivergenceAccepted,
  LogLossAccepted,
  MaintenanceDone,
  PastViewed,
  ServerKeyReplaced,
} from '#events/audit.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import { differences, pick } from './changes.ts';
import { audited } from './rule.ts';

const SERVER = { type: 'server', id: null, name: null } as const;
const AUDIT_LOG = { type: 'audit_log', id: null, name: null } as const;

/** Entries about the audit log itself, and about the log of the server. */
export const serverHandlers: readonly BoundHandler[] = [
  audited(AuditExported, {
    action: 'audit_log.exported',
    key: ({ id }) => `audit_export/${id}`,
    describe: ({ format, filter }) => ({
      target: AUDIT_LOG,
      changes: differences(null, { format, ...filter }),
    }),
  }),
  audited(AuditViewed, {
    action: 'audit_log.viewed',
    key: ({ account_id, filter }) => `audit_view/${account_id}/${JSON.stringify(filter)}`,
    describe: ({ filter, more }) => ({
      target: AUDIT_LOG,
      changes: differences(null, { ...filter, ...(more ? { more } : {}) }),
    }),
  }),
  audited(AccessTokensSealed, {
    action: 'server.access_tokens_sealed',
    key: () => 'access_tokens',
    describe: () => ({ target: SERVER, changes: [] }),
  }),
  audited(MaintenanceDone, {
    action: 'server.maintenance_done',
    key: ({ id }) => `maintenance/${id}`,
    describe: ({ task, options, changed }) => ({
      target: SERVER,
      changes: differences(null, { task, ...options, changed }),
    }),
  }),
  audited(PastViewed, {
    action: 'account.past_viewed',
    key: ({ account_id, position }) => `past_view/${account_id}/${position}`,
    describe: ({ account_id, position }) => ({
      target: { type: 'account', id: account_id, name: null },
      account_id,
      changes: differences(null, { position }),
    }),
  }),
  audited(BackupRestored, {
    action: 'server.restored',
    key: ({ backup_id }) => `restore/${backup_id}`,
    describe: (data) => ({
      target: SERVER,
      changes: differences(null, pick(data, ['backup_id', 'taken_at', 'position'])),
    }),
  }),
  audited(LogLossAccepted, {
    action: 'server.log_loss_accepted',
    key: ({ loss_id }) => `restore/${loss_id}`,
    describe: (data) => ({
      target: SERVER,
      changes: differences(null, pick(data, ['loss_id', 'ends_at', 'position'])),
    }),
  }),
  audited(LogDivergenceAccepted, {
    action: 'server.log_divergence_accepted',
    key: ({ divergence_id }) => `restore/${divergence_id}`,
    describe: (data) => ({
      target: SERVER,
      changes: differences(null, pick(data, ['divergence_id', 'checkpoint', 'reason'])),
    }),
  }),
  audited(EventDamageFound, {
    action: 'server.event_damage_found',
    key: ({ position }) => `damaged_event/${position}`,
    describe: (data) => ({
      target: SERVER,
      changes: differences(null, pick(data, ['position', 'event_type', 'cause'])),
    }),
  }),
  audited(ServerKeyReplaced, {
    action: 'server.key_replaced',
    key: ({ rotation_id }) => `server_key/${rotation_id}`,
    describe: (data) => ({ target: SERVER, changes: differences(null, pick(data, ['key', 'kept_old'])) }),
  }),
];
