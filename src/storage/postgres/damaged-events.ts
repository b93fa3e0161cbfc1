import { LRUCache } from 'lru-cache';
import { type Db, statement } from '#kernel/read.ts';
import { type DamagedEventNotes, MOST_NOTED, MOST_OF_SUBJECT } from '#kernel/services/damaged-events.ts';
import type { DamagedEvent, VerifiedDamage } from '../eventlog/port.ts';

const NOTE = statement<{ position: string }>(
  'damaged_events_note',
  `insert into durable.damaged_events (position, event_id, event_type, subject, cause)
   select position, event_id, event_type, subject, cause from (
     select n.*, row_number() over (order by n.position) as number,
       row_number() over (partition by n.subject order by n.position) as of_subject,
       (select count(*) from durable.damaged_events d where d.subject = n.subject) as noted
     from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
       as n (position, event_id, event_type, subject, cause)
     where not exists (select from durable.damaged_events d where d.position = n.position)
   ) new
   where noted + of_subject <= ${MOST_OF_SUBJECT}
     and number + (select count(*) from durable.damaged_events) <= ${MOST_NOTED}
   on conflict do nothing returning position`,
);
/** Only those found are damaged among the events up to $6. */
const REPLACE = statement(
  'damaged_events_replace',
  `with repaired as (
     delete from durable.damaged_events where position <= $6 and position <> all($1::bigint[])
   )
   insert into durable.damaged_events as d (position, event_id, event_type, subject, cause, accepted)
   select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $7::boolean[])
   on conflict (position) do update set subject = excluded.subject, cause = excluded.cause, accepted = excluded.accepted,
     reported_at = case when d.cause = excluded.cause then d.reported_at end`,
);
const HAS = statement('damaged_events_has', 'select from durable.damaged_events where position = $1');
const REPORTED = statement(
  'damaged_events_reported',
  'update durable.damaged_events set reported_at = now() where position = $1 and cause = $2',
);
const OPEN = statement<NotedDamage & { noted: string }>(
  'damaged_events_open',
  `select position, event_type as type, subject, cause, accepted, count(*) over () as noted from durable.damaged_events
   where not accepted or $1 order by accepted, position limit $2`,
);

/** An event whose personal fields are read as erased. */
export interface NotedDamage {
  position: string;
  type: string;
  /** Empty where the event does not name the subject of its fields. */
  subject: string;
  cause: DamagedEvent['cause'];
  /** An accepted divergence of the log covers it. */
  accepted: boolean;
}

/** Some of the damaged events, and the number of all that are noted. */
export interface Damage {
  events: NotedDamage[];
  noted: number;
}

interface Logger {
  error(fields: object, message: string): void;
}

/**
 * Events whose personal fields could not be decrypted, in a durable table. The readers of the log note them, and a verification
 * of the whole log replaces them by its findings. Some of each subject are kept.
 */
export class DamagedEvents implements DamagedEventNotes {
  readonly #db: Db;
  readonly #logger: Logger;
  /** Positions that this process has noted. */
  readonly #noted = new LRUCache<string, true>({ max: 10_000 });

  constructor(db: Db, logger: Logger) {
    this.#db = db;
    this.#logger = logger;
  }

  /** Notes damaged events that a reader met. Never rejects. */
  async note(events: readonly DamagedEvent[]): Promise<void> {
    const unknown = events.filter(({ position }) => !this.#noted.has(String(position)));
    if (unknown.length === 0) return;
    try {
      const added = await this.#db.query(NOTE, columnsOf(unknown));
      for (const { position } of unknown) this.#noted.set(String(position), true);
      if (added.length === 0) return;
      const positions = added.map(({ position }) => position);
      this.#logger.error({ positions }, 'events damaged: personal fields cannot be decrypted');
    } catch (error) {
      this.#logger.error({ err: error }, 'damaged events not noted: the next reader notes them');
    }
  }

  /** Tells whether an event is among those that are noted. */
  async isNoted(position: string): Promise<boolean> {
    return (await this.#db.query(HAS, [position])).length > 0;
  }

  async reported(position: string, cause: DamagedEvent['cause']): Promise<void> {
    await this.#db.query(REPORTED, [position, cause]);
  }

  list = (most: number, options?: { accepted?: boolean }): Promise<Damage> =>
    damageIn(this.#db, most, options);
}

/** Returns noted events, the first ones first; those of accepted divergences only if asked for. */
export async function damageIn(
  db: Db,
  most: number,
  { accepted = false }: { accepted?: boolean } = {},
): Promise<Damage> {
  const rows = await db.query(OPEN, [accepted, most]);
  return { events: rows.map(({ noted: _, ...event }) => event), noted: Number(rows[0]?.noted ?? 0) };
}

/** Stores what a verification of the log found up to a position. */
export async function replaceDamage(
  db: Db,
  found: readonly VerifiedDamage[],
  position: bigint,
): Promise<void> {
  const accepted = found.map((each) => each.accepted);
  await db.query(REPLACE, [...columnsOf(found), String(position), accepted]);
}

const columnsOf = (events: readonly DamagedEvent[]): unknown[][] => [
  events.map(({ position }) => String(position)),
  events.map(({ id }) => id),
  events.map(({ type }) => type),
  events.map(({ subject = '' }) => subject),
  events.map(({ cause }) => cause),
];

/** Says which events are damaged; undefined for none. */
export function damageText({ events, noted }: Damage): string | undefined {
  const [first] = events;
  if (!first) return undefined;
  const places = events.slice(0, 3).map(({ position, type }) => `${position} ${type}`);
  const more = noted > places.length ? ` and ${noted - places.length} more` : '';
  return `Personal fields cannot be decrypted and are read as erased: ${places.join(', ')}${more}`;
}
