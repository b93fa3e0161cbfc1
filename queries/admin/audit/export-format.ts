import type { AUDIT_FORMATS } from '#events/audit.ts';
import { csvLine } from '#mastodon/csv.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';

export type AuditFormat = (typeof AUDIT_FORMATS)[number];

type Entries = AsyncIterable<AuditEntry>;

/** The lines of an export: a JSON text per entry, or a table with a heading. */
export const auditLines: Readonly<Record<AuditFormat, (entries: Entries) => AsyncGenerator<string>>> = {
  async *ndjson(entries) {
    for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
  },
  async *csv(entries) {
    yield csvLine(Object.keys(CELLS));
    for await (const entry of entries) yield csvLine(Object.values(CELLS).map((cell) => cell(entry) ?? ''));
  },
};

/** The columns of the table. Lists in JSON are joined here. */
const CELLS: Record<string, (entry: AuditEntry) => string | null | undefined> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  action: ({ action }) => action,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.account?.id,
  actor: ({ actor }) => actor.account?.acct ?? actor.name,
  actor_role: ({ actor }) => actor.role,
  application_id: ({ application }) => application?.id,
  application: ({ application }) => application?.name,
  target_type: ({ targets }) => targets[0]?.type,
  target_id: ({ targets }) => targets[0]?.id,
  target: ({ targets }) => targets[0]?.name,
  other_targets: ({ targets }) => JSON.stringify(targets.slice(1)),
  text: ({ text }) => text,
  changes: ({ changes }) => JSON.stringify(changes),
  event_id: ({ event_id }) => event_id,
  command_id: ({ command_id }) => command_id,
  correlation_id: ({ correlation_id }) => correlation_id,
  causation_id: ({ causation_id }) => causation_id,
};
