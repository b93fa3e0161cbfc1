import type { RecordedEvent } from '#kernel/event.ts';
import { type Db, statement } from '#kernel/read.ts';
import { actorOf, type AuditAction, type AuditTarget } from '#mastodon/audit-log.ts';
import type { Change, Fields } from './changes.ts';
import { ENTRIES, STATES } from './tables.ts';

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

const INSERT = ENTRIES.insert();
const COUNT = statement(
  'audit_months_count',
  `insert into audit_months (month, action, actor_kind, entries)
   select month, action, actor_kind, count(*) from unnest($1::text[], $2::text[], $3::text[]) as n (month, action, actor_kind)
   group by month, action, actor_kind
   on conflict (month, action, actor_kind) do update set entries = audit_months.entries + excluded.entries`,
);
const READ_STATES = statement<{ key: string; state: string }>(
  'audit_states_read',
  'select key, state from audit_states where key = any($1::text[])',
);
const KEEP_STATES = STATES.put();
const DROP_STATES = STATES.remove();

export async function writeEntries(entries: readonly Entry[], db: Db): Promise<void> {
  if (entries.length === 0) return;
  const acts = entries.map((entry) => ({ entry, actor: actorOf(entry.event.metadata) }));
  await INSERT(
    acts.map(({ entry: { event, action, details }, actor }) => ({
      position: event.position,
      event_id: event.id,
      created_at: event.metadata.time,
      action,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_role: actor.role,
      actor_name: actor.name,
      application_id: event.metadata.application_id,
      target_type: details.target.type,
      target_id: details.target.id,
      target_name: details.target.name,
      account_id: details.account_id,
      domain: details.domain,
      report_id: details.report_id,
      strike_id: details.strike_id,
      note_id: details.note_id,
      appeal_id: details.appeal_id,
      changes: details.changes,
      command_id: event.metadata.command_id,
      correlation_id: event.metadata.correlation_id,
      causation_id: event.metadata.causation_id,
    })),
    db,
  );
  await db.query(COUNT, [
    entries.map(({ event }) => event.metadata.time.slice(0, '2026-11'.length)),
    entries.map(({ action }) => action),
    acts.map(({ actor }) => actor.kind),
  ]);
}

/** Returns the stored states by key. */
export async function readStates(keys: readonly string[], db: Db): Promise<ReadonlyMap<string, Fields>> {
  const rows = await db.query(READ_STATES, [keys]);
  return new Map(rows.map(({ key, state }) => [key, JSON.parse(state) as Fields]));
}

/** Stores new states; null deletes one, undefined leaves it. */
export async function keepStates(
  states: readonly (readonly [key: string, state: Fields | null | undefined])[],
  db: Db,
): Promise<void> {
  await KEEP_STATES(
    states.flatMap(([key, state]) => (state ? [{ key, state }] : [])),
    db,
  );
  await DROP_STATES(
    states.flatMap(([key, state]) => (state === null ? [{ key }] : [])),
    db,
  );
}
