import { type Db, statement } from '#kernel/read.ts';
import type { TimerInfo } from '#kernel/services/reactors.ts';
import type { TimerState } from './timer-status.ts';

/** Seconds without a sign of life after which no process runs the timers. */
const DEAD_AFTER = 120;
/** Seconds after which a timer that was to run is late. */
const LATE_AFTER = 60;

/** Also removes timers that the program no longer has. */
const STORE = statement(
  'timers_store',
  `with gone as (delete from durable.timers where name <> all ($1::text[]))
   insert into durable.timers as t (name, next_at, fired_at, fired, failing, error, failing_since, seen_at)
   select u.*, clock_timestamp()
   from unnest($2::text[], $3::timestamptz[], $4::timestamptz[], $5::bigint[], $6::int[], $7::text[], $8::timestamptz[]) u
   on conflict (name) do update set next_at = excluded.next_at, fired_at = coalesce(excluded.fired_at, t.fired_at),
     fired = t.fired + excluded.fired, failing = excluded.failing, error = excluded.error,
     failing_since = excluded.failing_since, seen_at = excluded.seen_at`,
);
const LIST = statement<TimerInfo>(
  'timers_list',
  `select name, next_at, fired_at, fired::float8 as fired, failing, error, failing_since, seen_at,
     case when seen_at < clock_timestamp() - interval '${DEAD_AFTER} seconds' then 'stopped'
       when error is not null then 'failing'
       when next_at < clock_timestamp() - interval '${LATE_AFTER} seconds' then 'late'
       else 'running' end as state
   from durable.timers order by name`,
);

/**
 * Stores what timers do.
 * @param names of all timers of this program, also those without a state yet
 * @param firedMore how often each acted since its state was last stored
 */
export async function storeTimers(
  db: Db,
  names: readonly string[],
  states: readonly (TimerState & { firedMore: number })[],
): Promise<void> {
  const time = (at: number | undefined): string | null =>
    at === undefined ? null : new Date(at).toISOString();
  await db.query(STORE, [
    names,
    states.map(({ name }) => name),
    states.map(({ nextAt }) => time(nextAt)),
    states.map(({ firedAt }) => time(firedAt)),
    states.map(({ firedMore }) => firedMore),
    states.map(({ failing }) => failing),
    states.map(({ error }) => error ?? null),
    states.map(({ failingSince }) => time(failingSince)),
  ]);
}

/** Returns the timers as the process that runs them last stored them, by name. */
export const listTimers = (db: Db): Promise<TimerInfo[]> => db.query(LIST);
