import { type Db, statement } from '#kernel/read.ts';

/** Milliseconds between two samples. */
export const SAMPLE_EVERY = 15_000;

/** Each process that runs projections adds a row; those of the last hour are kept. */
const ADD = statement(
  'projection_rates_add',
  `with old as (delete from durable.projection_rates where at < clock_timestamp() - interval '1 hour')
   insert into durable.projection_rates (seconds, events) values ($1, $2)`,
);
/** Samples of several processes overlap, and each event is applied by one of them. */
const OF_ONE = statement<Rate>(
  'projection_rates_of_one',
  `select to_char(date_trunc('minute', at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:00.000"Z"') as at,
     sum(coalesce((events ->> $1)::float8, 0)) / least(60, greatest(1, sum(seconds))) as events_per_second
   from durable.projection_rates where at > clock_timestamp() - interval '1 hour'
   group by date_trunc('minute', at) order by date_trunc('minute', at)`,
);
const NOW = statement<{ name: string; events_per_second: number }>(
  'projection_rates_now',
  `select e.key as name, sum(e.value::float8) / least(60, greatest(1, max(n.seconds))) as events_per_second
   from (select at, events, sum(seconds) over () as seconds from durable.projection_rates
         where at > clock_timestamp() - interval '1 minute') n, jsonb_each_text(n.events) e
   group by e.key`,
);

/** Events a second in one minute. */
export interface Rate {
  /** ISO 8601. */
  at: string;
  events_per_second: number;
}

/** Stores how many events each read model took in some seconds, by name. */
export async function addRates(
  db: Db,
  { seconds, events }: { seconds: number; events: Readonly<Record<string, number>> },
): Promise<void> {
  await db.query(ADD, [seconds, JSON.stringify(events)]);
}

/** Returns the minutes of the last hour that were sampled. */
export const ratesOf = (db: Db, name: string): Promise<Rate[]> => db.query(OF_ONE, [name]);

/** Returns the rates of the last minute, by name. */
export async function presentRates(db: Db): Promise<Map<string, number>> {
  const rows = await db.query(NOW);
  return new Map(rows.map(({ name, events_per_second }) => [name, events_per_second]));
}
