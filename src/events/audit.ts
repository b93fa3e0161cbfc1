import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, time } from './common.ts';

export const AUDIT_FORMATS = ['ndjson', 'csv'] as const;
/** The format of one case. */
const CASE_FORMAT = 'zip';

/** One export of the audit. */
export const auditExportStream = (exportId: string): string => `audit-export-${exportId}`;

/** The operator exported the audit log, or the part that matches `filter`. */
export const AuditExported = defineEvent({
  type: 'AuditExported',
  version: 1,
  schema: z.object({
    id,
    format: z.enum([...AUDIT_FORMATS, CASE_FORMAT]),
    filter: z.record(z.string().max(40), z.string().max(10_000)),
  }),
  samples: {
    1: {
      id: '115500000000000036',
      format: 'ndjson',
      filter: { action: 'account.suspended,account.unsuspended', from: '2026-11-01T00:00:00.000Z' },
    },
  },
});

/** The searches of one reader of the audit within one hour; hours count from 1970. */
export const auditViewStream = (accountId: string, hour: number): string => `audit-view-${accountId}-${hour}`;

/**
 * A staff member read the audit log, or one entry (`id`), with this filter for the first time in that hour.
 */
export const AuditViewed = defineEvent({
  type: 'AuditViewed',
  version: 1,
  schema: z.object({
    account_id: id,
    filter: z.record(z.string().max(40), z.string().max(20_000)),
    /** Further filters of that hour are not recorded. */
    more: z.boolean(),
  }),
  samples: { 1: { account_id: '115500000000000001', filter: { action: 'account.suspended' }, more: false } },
});

/** One restore of a backup. */
export const restoreStream = (backupId: string): string => `restore-${backupId}`;

/** The operator filled this server from a backup, which contained the log up to that position. */
export const BackupRestored = defineEvent({
  type: 'BackupRestored',
  version: 1,
  schema: z.object({ backup_id: z.uuid(), taken_at: time, position: z.string().regex(/^\d{1,19}$/) }),
  samples: {
    1: {
      backup_id: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
      taken_at: '2026-11-22T03:00:00.000Z',
      position: '120',
    },
  },
});

/** The operator accepted that the log lost its end: it continues after that position. Stream `restore-<loss_id>`. */
export const LogLossAccepted = defineEvent({
  type: 'LogLossAccepted',
  version: 1,
  schema: z.object({
    loss_id: z.uuid(),
    /** The time of the last event that the log still had. */
    ends_at: time,
    position: z.string().regex(/^\d{1,19}$/),
  }),
  samples: {
    1: {
      loss_id: '0c1a2b3d-6f60-4d0e-9a53-2f5c8a5f4d11',
      ends_at: '2026-11-22T03:00:00.000Z',
      position: '120',
    },
  },
});

/**
 * The operator accepted that the log contradicts an earlier checkpoint, after a change by hand.
 * Stream `restore-<divergence_id>`.
 */
export const LogDivergenceAccepted = defineEvent({
  type: 'LogDivergenceAccepted',
  version: 1,
  schema: z.object({
    divergence_id: z.uuid(),
    /** The events of the first checkpoint that the log contradicts. */
    checkpoint: z.int().min(0),
    reason: z.string().min(1).max(1_000),
  }),
  samples: {
    1: {
      divergence_id: '5d6f0a1c-27f4-4a58-8f6e-0b7c1f2d3e4a',
      checkpoint: 1976,
      reason: 'A damaged event was repaired by hand',
    },
  },
});

/** One event of the log whose personal fields cannot be decrypted, by its position. */
export const damagedEventStream = (position: string): string => `damaged-event-${position}`;

/** The server met an event whose personal fields cannot be decrypted, and reads them as erased. */
export const EventDamageFound = defineEvent({
  type: 'EventDamageFound',
  version: 1,
  schema: z.object({
    position: z.string().regex(/^\d{1,19}$/),
    event_type: z.string().max(100),
    /** `fields`: the ciphertext is damaged, or another key encrypted it. `key`: the key of the user is damaged or was changed. */
    cause: z.enum(['fields', 'key']),
  }),
  samples: { 1: { position: '120', event_type: 'StatusCreated', cause: 'fields' } },
});

/** A server that shows the past to staff, as one account saw it. Stream `audit-view-<account>-as-of-<position>`. */
export const pastViewStream = (accountId: string, position: string): string =>
  `audit-view-${accountId}-as-of-${position}`;

/** The operator looked at what an account saw at a position of the log. Once for each position. */
export const PastViewed = defineEvent({
  type: 'PastViewed',
  version: 1,
  schema: z.object({ account_id: id, position: z.string().regex(/^\d{1,19}$/) }),
  samples: { 1: { account_id: '109500000000000000', position: '120' } },
});

/** A run of the operator over many accounts or posts, with the number that it changed. */
export const maintenanceStream = (id: string): string => `maintenance-${id}`;

export const maintenanceTask = z.enum([
  'statuses_remove',
  'accounts_prune',
  'accounts_cull',
  'accounts_follow',
  'accounts_unfollow',
  'accounts_reset_relationships',
  'domains_purge',
  'as_of_build',
  'as_of_drop',
]);
export type MaintenanceTask = z.infer<typeof maintenanceTask>;

export const MaintenanceDone = defineEvent({
  type: 'MaintenanceDone',
  version: 1,
  schema: z.object({
    id,
    task: maintenanceTask,
    /** The arguments, as `name: value`: `days: 90`. */
    options: z.record(z.string().max(30), z.string().max(300)),
    changed: z.int().min(0),
  }),
  samples: { 1: { id: '115500000000000041', task: 'statuses_remove', options: { days: '90' }, changed: 12 } },
});

/** One replacement of a key of the server. */
export const serverKeyStream = (rotationId: string): string => `server-key-${rotationId}`;

/** The operator replaced a key of `keys.json`. */
export const ServerKeyReplaced = defineEvent({
  type: 'ServerKeyReplaced',
  version: 1,
  schema: z.object({
    rotation_id: z.uuid(),
    key: z.enum(['master', 'instance']),
    /** Whether the former key stays in the file, to decrypt earlier backups. */
    kept_old: z.boolean(),
  }),
  samples: { 1: { rotation_id: '2f0c7a52-8b1d-4a57-9d6e-3a1b5c7d9e0f', key: 'master', kept_old: false } },
});

/** The one stream about the digests of access tokens. */
export const TOKEN_DIGESTS_STREAM = 'access-tokens-digests';

/** Access tokens of an earlier version got digests, by which a change in the database shows from then on. */
export const AccessTokensSealed = defineEvent({
  type: 'AccessTokensSealed',
  version: 1,
  schema: z.object({}),
  samples: { 1: {} },
});

export const auditEvents = [
  AccessTokensSealed,
  MaintenanceDone,
  PastViewed,
  AuditExported,
  AuditViewed,
  BackupRestored,
  LogLossAccepted,
  LogDivergenceAccepted,
  EventDamageFound,
  ServerKeyReplaced,
];
export type AuditExportedEvent = EventOf<typeof AuditExported>;
export type AccessTokensSealedEvent = EventOf<typeof AccessTokensSealed>;
export type PastViewedEvent = EventOf<typeof PastViewed>;
export type MaintenanceDoneEvent = EventOf<typeof MaintenanceDone>;
export type AuditViewedEvent = EventOf<typeof AuditViewed>;
export type BackupRestoredEvent = EventOf<typeof BackupRestored>;
export type LogLossAcceptedEvent = EventOf<typeof LogLossAccepted>;
export type EventDamageFoundEvent = EventOf<typeof EventDamageFound>;
export type LogDivergenceAcceptedEvent = EventOf<typeof LogDivergenceAccepted>;
export type ServerKeyReplacedEvent = EventOf<typeof ServerKeyReplaced>;
