/** Endpoints for staff that change nothing, although their method is not GET. */
export const READING = [
  'POST /api/v1/admin/canonical_email_blocks/test',
  'POST /api/v1/admin/audit/checkpoints/compare',
  ...['measures', 'dimensions', 'retention'].map((name) => `POST /api/v1/admin/${name}`),
];

/** Commands that change nothing for any user. */
export const READING_VERBS = [
  ...[
    'announcements list',
    'appeals list',
    ...['reports list', 'reports show'],
    'trends list',
    'emoji export',
    'emoji list',
    ...['media usage', 'media remove', 'media remove-orphans', 'media refresh', 'preview-cards remove'],
    ...['accounts list', 'accounts search', 'accounts show', 'accounts refresh', 'domains crawl', 'doctor'],
    'rules list',
    'settings show',
    'suggestions list',
  ],
  ...[
    'domains blocks',
    'domains allows',
    'domains export',
    'email-domain-blocks list',
    'ip-blocks list',
    'ip-blocks export',
  ],
  ...['audit report', 'audit statistics'],
  'relays list',
  ...['list', 'show', 'verify'].map((verb) => `projections ${verb}`),
  // A backup changes nothing, and a restore writes into another, empty database.
  ...['backup', 'backup verify', 'restore'],
  // Needs a log that lost its end. `test/backup/lost-end.process.spec.ts` checks its entry in the audit log.
  'log accept-loss',
  // Need a stopped server. `test/operations/keys.process.spec.ts` checks their entries in the audit log.
  ...['keys rotate-master', 'keys rotate-instance'],
  // Needs a log that was changed. `test/transparency-log/divergence.api.spec.ts` checks its entry in the audit log.
  'log accept-divergence',
  // Each run has one entry, which `test/cli/maintenance.api.spec.ts` checks.
  ...['follow', 'unfollow', 'reset-relationships', 'prune', 'cull'].map((verb) => `accounts ${verb}`),
  ...['statuses remove', 'domains purge'],
  // Erases the accounts of the town. Each has an entry, like `accounts delete`.
  'self-destruct',
  'accounts alias list',
  'federation deliveries',
  // These sign and prove the log itself.
  ...[
    'log checkpoint',
    'log consistency',
    'log export',
    'log key',
    'log monitor',
    'log prove',
    'log verify',
    'log witness',
    'witness',
    'log show',
    'log events',
  ],
  // These use read models of the past, beside the live ones.
  ...['projections build', 'projections as-of list', 'projections as-of drop', 'serve'],
  // These only list.
  ...['failures', 'list', 'timers'].map((verb) => `reactors ${verb}`),
  'trace',
];
