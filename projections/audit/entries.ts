import type { RecordedEvent } from '#kernel/event.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type Actor, actorOf, type AuditAction, type AuditTarget } from '#mastodon/audit-log.ts';
import type { Change, Fields } from './changes.ts';

/** The details of an entry, besides the event's metadata. */
export interface AuditDetails {
  target: { type: AuditTarget; id: string | null; name: string | null };
  /** The account that was acted on, besides the actor. */
  account_id?: string | null;
  domain?: string;
  report_id?: string;
  /** The strike or note with the reason: its text is personal, and read from its own read model. */
  strike_id?: string;
  note_id?: string;
  /** The appeal that was filed or decided; its text is personal too. */
  appeal_id?: string;
  changes: Change[];
  /** The new state, which later events are compared with; null deletes it, undefined leaves it. */
  state?: Fields | null;
}

/** One entry of the audit. */
export interface Entry {
  event: RecordedEvent;
  action: AuditAction;
  details: AuditDetails;
}

const INSERT = statement(
  'audit_entries_insert',
  `insert into audit_entries (position, event_id, created_at, action, actor_kind, actor_id, actor_role, actor_name,
     application_id, target_type, target_id, target_name, account_id, domain, report_id, strike_id, note_id, appeal_id,
     changes, command_id, correlation_id, causation_id)
   select * from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::bigint[], $7::text[],
     $8::text[], $9::bigint[], $10::text[], $11::bigint[], $12::text[], $13::bigint[], $14::text[], $15::bigint[],
     $16::bigint[], $17::bigint[], $18::bigint[], $19::text[], $20::text[], $21::text[], $22::text[])`,
);
const COUNT = statement(
  'audit_months_count',
  `insert into audit_months (month, action, actor_kind, entries)
   select month, action, actor_kind, count(*) from unnest($1::text[], $2::text[], $3::text[]) as n (month, action, actor_kind)
   group by month, action, actor_kind
   on conflict (month, action, actor_kind) do update set entries = audit_months.entries + excluded.entries`,
);
const READ_STATES = statement(
  'audit_states_read',
  'select key, state from audit_states where key = any($1::text[])',
);
const KEEP_STATES = statement(
  'audit_states_keep',
  `insert into audit_states (key, state) select * from unnest($1::text[], $2::text[])
   on conflict (key) do update set state = excluded.state`,
);
const DROP_STATES = statement('audit_states_drop', 'delete from audit_states where key = any($1::text[])');

/** The value of each column, in the order of `INSERT`. */
const COLUMNS: readonly ((entry: Entry, actor: Actor) => string | null)[] = [
  ({ event }) => String(event.position),
  ({ event }) => event.id,
  ({ event }) => event.metadata.time,
  ({ action }) => action,
  (_, { kind }) => kind,
  (_, { id }) => id,
  (_, { role }) => role,
  (_, { name }) => name,
  ({ event }) => event.metadata.application_id ?? null,
  ({ details }) => details.target.type,
  ({ details }) => details.target.id,
  ({ details }) => details.target.name,
  ({ details }) => details.account_id ?? null,
  ({ details }) => details.domain ?? null,
  ({ details }) => details.report_id ?? null,
  ({ details }) => details.strike_id ?? null,
  ({ details }) => details.note_id ?? null,
  ({ details }) => details.appeal_id ?? null,
  ({ details }) => JSON.stringify(details.changes),
  ({ event }) => event.metadata.command_id,
  ({ event }) => event.metadata.correlation_id,
  ({ event }) => event.metadata.causation_id ?? null,
];

export async function writeEntries(entries: readonly Entry[], db: Db): Promise<void> {
  if (entries.length === 0) return;
  const acts = entries.map((entry) => ({ entry, actor: actorOf(entry.event.metadata) }));
  await db.query(
    INSERT,
    COLUMNS.map((column) => acts.map(({ entry, actor }) => column(entry, actor))),
  );
  await db.query(COUNT, [
    entries.map(({ event }) => event.metadata.time.slice(0, '2026-11'.length)),
    entries.map(({ action }) => action),
    acts.map(({ actor }) => actor.kind),
  ]);
}

/** Returns the stored states by key. */
export async function readStates(keys: readonly string[], db: Db): Promise<ReadonlyMap<string, Fields>> {
  const rows = await db.query<{ key: string; state: string }>(READ_STATES, [keys]);
  return new Map(rows.map(({ key, state }) => [key, JSON.parse(state) as Fields]));
}

/** Stores new states; null deletes one, undefined leaves it. */
export async function keepStates(
  states: readonly (readonly [key: string, state: Fields | null | undefined])[],
  db: Db,
): Promise<void> {
  const kept = states.flatMap(([key, state]) => (state ? [[key, JSON.stringify(state)] as const] : []));
  const dropped = states.flatMap(([key, state]) => (state === null ? [key] : []));
  if (kept.length > 0)
    await db.query(KEEP_STATES, [kept.map(([key]) => key), kept.map(([, state]) => state)]);
  if (dropped.length > 0) await db.query(DROP_STATES, [dropped]);
}
