import { type Db, statement } from '#kernel/read.ts';
import { DOWN_AFTER, type OutgoingActivity } from '#kernel/services/federation.ts';
import { MAX_TRIES, type Outcome, pauseAfter } from './outcome.ts';
import type { Delivery } from './sender.ts';

/** Concurrent deliveries to one host; one to a host whose last answer failed or never came. */
const PER_HOST = 4;
/** Milliseconds: a host whose last attempt took longer is slow. */
const SLOW = 1_000;
/** Seconds before a host that is down is tried again, doubled with each failure, up to the maximum. */
const FIRST_REST = 30;
const MAX_REST = 6 * 3_600;

const QUEUE = statement(
  'federation_queue',
  `with activity as (
     insert into durable.federation_activities (key, sender, actor, status_id, document, farewell, retired_key, followers_only)
     values ($1, $2, $3, $4, $5, $10, $11, $12)
     on conflict (key) do nothing returning id)
   insert into durable.federation_deliveries (activity_id, inbox, host, subject, due_at)
   select activity.id, n.inbox, n.host, $6::text, $7::timestamptz
   from activity, (select distinct * from unnest($8::text[], $9::text[]) as given (inbox, host)) n`,
);
/**
 * Goes from host to host, in the order of their names, and takes the next of each, as far as it is awake and not in `$3`. With `$6` these
 * are the first of each line that was not tried yet, of hosts in good standing; otherwise the rest: those that failed and are due again,
 * and the first ones of hosts that failed or were slow. A line is what one inbox gets of one subject, in the order
 * in which it was queued; only the first of a line is ever tried. The cost grows with the deliveries of a host, never with their square.
 * Two processes pass over each other's rows.
 */
const CLAIM = statement<ClaimedDelivery>(
  'federation_claim',
  `with recursive waiting (host) as (
     (select d.host from durable.federation_deliveries d where d.host > $2 order by d.host limit 1)
     union all
     select (select d.host from durable.federation_deliveries d where d.host > w.host order by d.host limit 1)
     from waiting w where w.host is not null
   ), picked as (
     select d.activity_id, d.inbox
     from waiting w
     left join durable.federation_hosts h on h.host = w.host
     cross join lateral (
       select case when h.failures > 0 then 1 else ${PER_HOST} end as most,
         coalesce(h.failures, 0) = 0 and coalesce(h.last_ms, 0) < ${SLOW} as good
     ) bound
     cross join lateral (
       with recursive fresh (nth, activity_id, inbox, lines) as (
         select 0, null::bigint, null::text collate "C", array[]::text[] collate "C"
         union all
         select f.nth + 1, n.activity_id, n.inbox, f.lines || n.line
         from fresh f
         cross join lateral (
           select d.activity_id, d.inbox, d.inbox || ' ' || d.subject as line
           from durable.federation_deliveries d
           where d.host = w.host and d.attempts = 0 and d.inbox || ' ' || d.subject <> all(f.lines)
             and not exists (
               select from durable.federation_deliveries t
               where t.host = w.host and t.inbox = d.inbox and t.subject = d.subject and t.attempts > 0)
           order by d.activity_id limit 1
         ) n
         where f.nth < bound.most and ($6::boolean or not bound.good)
       )
       select d.activity_id, d.inbox from durable.federation_deliveries d
       where (d.activity_id, d.inbox) in (
           (select f.activity_id, f.inbox from fresh f where f.nth > 0)
           union all
           (select t.activity_id, t.inbox from durable.federation_deliveries t
            where not $6::boolean and t.host = w.host and t.attempts > 0 and t.due_at <= $1::timestamptz
              and (t.leased_until is null or t.leased_until <= $1::timestamptz)
            order by t.due_at, t.activity_id limit bound.most))
         and d.due_at <= $1::timestamptz and (d.leased_until is null or d.leased_until <= $1::timestamptz)
       order by d.due_at, d.activity_id
       limit bound.most
       for update skip locked
     ) d
     where w.host is not null and w.host <> all($3::text[]) and (h.retry_at is null or h.retry_at <= $1::timestamptz)
       and (bound.good or not $6::boolean)
     limit $4
   )
   update durable.federation_deliveries d
   set attempts = d.attempts + 1, leased_until = $1::timestamptz + interval '1 second' * $5::int
   from picked p, durable.federation_activities a
   where d.activity_id = p.activity_id and d.inbox = p.inbox and a.id = d.activity_id
   returning d.activity_id, d.inbox, d.host, d.attempts, a.sender, a.actor, a.status_id, a.farewell, a.retired_key,
     a.followers_only, a.document`,
);
const WAITING = statement<{ any: boolean }>(
  'federation_waiting',
  'select exists (select from durable.federation_deliveries) as any',
);
/** Deletes finished deliveries. */
const DELETE = statement(
  'federation_delivered',
  `delete from durable.federation_deliveries d using unnest($1::bigint[], $2::text[]) as n (activity_id, inbox)
   where d.activity_id = n.activity_id and d.inbox = n.inbox`,
);
const LATER = statement(
  'federation_later',
  `update durable.federation_deliveries d set leased_until = null, due_at = n.due_at
   from unnest($1::bigint[], $2::text[], $3::timestamptz[]) as n (activity_id, inbox, due_at)
   where d.activity_id = n.activity_id and d.inbox = n.inbox`,
);
/** Every recipient of a post has it, or may have it: a missing reply proves nothing. */
const RECEIPTS = statement(
  'federation_receipts_put',
  `insert into durable.federation_receipts as r (status_id, inbox, sent_at, delivered_at)
   select distinct on (status_id, inbox) status_id, inbox, $4::timestamptz, case when delivered then $4::timestamptz end
   from unnest($1::bigint[], $2::text[], $3::bool[]) as n (status_id, inbox, delivered)
   order by status_id, inbox, delivered desc
   on conflict (status_id, inbox) do update set delivered_at = coalesce(r.delivered_at, excluded.delivered_at)`,
);
/** The time of an attempt: that of the last record, and averaged over about the last ten. */
const TIMES =
  'last_ms = coalesce(excluded.last_ms, h.last_ms), average_ms = coalesce(h.average_ms * 0.9 + excluded.average_ms * 0.1, excluded.average_ms, h.average_ms)';
/**
 * Any response marks a host as up; deliveries that waited for it become due at once. Ordered by name, so that
 * two processes do not wait for each other.
 */
const HOSTS_UP = statement(
  'federation_hosts_up',
  `with was as (
     select h.host from durable.federation_hosts h where h.host = any($1::text[]) and h.failures >= ${DOWN_AFTER}
   ), up as (
     insert into durable.federation_hosts as h (host, last_success_at, last_failure_at, last_failure, delivered, refused, average_ms, last_ms)
     select n.host, case when n.delivered > 0 then $2::timestamptz end, case when n.refused > 0 then $2::timestamptz end,
       n.reason, n.delivered, n.refused, n.ms, n.ms
     from unnest($1::text[], $3::int[], $4::int[], $5::text[], $6::float8[]) as n (host, delivered, refused, reason, ms)
     order by n.host
     on conflict (host) do update set failures = 0, down_since = null, retry_at = null,
       last_success_at = coalesce(excluded.last_success_at, h.last_success_at),
       last_failure_at = coalesce(excluded.last_failure_at, h.last_failure_at),
       last_failure = coalesce(excluded.last_failure, h.last_failure),
       delivered = h.delivered + excluded.delivered, refused = h.refused + excluded.refused,
       ${TIMES}
   )
   update durable.federation_deliveries d set due_at = $2::timestamptz
   where d.host in (select host from was) and d.due_at > $2::timestamptz`,
);
const HOSTS_DOWN = statement(
  'federation_hosts_down',
  `insert into durable.federation_hosts as h (host, failures, down_since, retry_at, last_failure_at, last_failure, failed, average_ms, last_ms)
   select n.host, n.failed, $2::timestamptz, case when n.failed >= ${DOWN_AFTER} then ${rest('n.failed')} end,
     $2::timestamptz, n.reason, n.failed, n.ms, n.ms
   from unnest($1::text[], $3::int[], $4::text[], $6::float8[]) as n (host, failed, reason, ms) order by n.host
   on conflict (host) do update set
     failures = h.failures + excluded.failures, down_since = coalesce(h.down_since, excluded.down_since),
     retry_at = case when h.failures + excluded.failures >= ${DOWN_AFTER}
       then ${rest('h.failures + excluded.failures')} end,
     last_failure_at = excluded.last_failure_at, last_failure = excluded.last_failure,
     failed = h.failed + excluded.failed, ${TIMES}`,
);
const HEARD_FROM = statement<{ up: boolean }>(
  'federation_heard_from',
  `with up as (
     update durable.federation_hosts set failures = 0, down_since = null, retry_at = null, last_ms = null
     where host = $1 and failures >= ${DOWN_AFTER} returning host
   ), due as (
     update durable.federation_deliveries d set due_at = $2::timestamptz
     from up where d.host = up.host and d.due_at > $2::timestamptz
   )
   select exists (select from up) as up`,
);
/** Cancels unsent deliveries. Deliveries that are being sent continue. */
const CANCEL = statement(
  'federation_cancel',
  `delete from durable.federation_deliveries d using durable.federation_activities a
   where a.status_id = $1 and d.activity_id = a.id and d.attempts = 0`,
);

/** SQL: the time at which a host that is down is tried again; $5 is the jitter, a factor. */
function rest(failures: string): string {
  const doubled = `least(${MAX_REST}, ${FIRST_REST} * power(2, least((${failures}) - ${DOWN_AFTER}, 16)))`;
  return `$2::timestamptz + interval '1 second' * (${doubled} * $5::double precision)`;
}

/** A delivery that this process has leased. */
export interface ClaimedDelivery extends Delivery {
  activity_id: string;
  host: string;
  /** Includes this one. */
  attempts: number;
  status_id: string | null;
  /** Also sent to servers that this server does not federate with. */
  farewell: boolean;
}

/** `fresh`: first attempts to hosts in good standing; `rest`: everything else. */
export type Which = 'fresh' | 'rest';

export interface Claim {
  now: number;
  after: string;
  busy: readonly string[];
  room: number;
  which: Which;
}

export interface Tried {
  claimed: ClaimedDelivery;
  outcome: Outcome;
  /** The milliseconds that the attempt took, where something was sent. */
  ms?: number;
}

/** In [0, 1). */
type Random = () => number;

/**
 * The deliveries in Postgres. Times are milliseconds since 1970 and come from the caller: nothing here reads
 * a clock.
 */
export class DeliveryQueue {
  readonly #db: Db;
  readonly #leaseSeconds: number;

  /** `leaseSeconds`: the duration of an exclusive lease; longer than an attempt. */
  constructor(db: Db, leaseSeconds = 60) {
    this.#db = db;
    this.#leaseSeconds = leaseSeconds;
  }

  async add(
    {
      key,
      subject,
      sender,
      statusId,
      farewell = false,
      retiredKey = null,
      followersOnly = false,
      after = 0,
      document,
    }: OutgoingActivity,
    inboxes: readonly string[],
    now: number,
  ): Promise<void> {
    if (inboxes.length === 0) return;
    const due = iso(now + after * 1_000);
    await this.#db.query(QUEUE, [
      ...[key, sender, document.actor, statusId, JSON.stringify(document)],
      ...[subject, due, inboxes, inboxes.map((inbox) => new URL(inbox).host)],
      ...[farewell, retiredKey, followersOnly],
    ]);
  }

  /** Leases at most `room` due deliveries, of hosts after `after` that are not among the `busy`, by the names of hosts. */
  async claim({ now, after, busy, room, which }: Claim): Promise<ClaimedDelivery[]> {
    const rows = await this.#db.query(CLAIM, [
      ...[iso(now), after, busy, room, this.#leaseSeconds],
      which === 'fresh',
    ]);
    return rows.sort((one, other) => (one.host < other.host ? -1 : one.host > other.host ? 1 : 0));
  }

  async any(): Promise<boolean> {
    return (await this.#db.query(WAITING))[0]?.any === true;
  }

  async cancel(statusId: string): Promise<void> {
    await this.#db.query(CANCEL, [statusId]);
  }

  /** Returns true for a host that was down. */
  async heardFrom(host: string, now: number): Promise<boolean> {
    return (await this.#db.query(HEARD_FROM, [host, iso(now)]))[0]?.up === true;
  }

  /** Releases leased deliveries. */
  async release(claimed: readonly ClaimedDelivery[], now: number): Promise<void> {
    if (claimed.length === 0) return;
    const tried = claimed.map((each) => ({ claimed: each }));
    await this.#db.query(LATER, [...keysOf(tried), claimed.map(() => iso(now))]);
  }

  /** Records the outcomes of attempts, in an order in which a crash in between only repeats some. */
  async record(tried: readonly Tried[], { now, random }: { now: number; random: Random }): Promise<void> {
    const at = iso(now);
    const receipts = tried.filter(
      ({ claimed, outcome }) => claimed.status_id !== null && outcome.kind !== 'refused',
    );
    if (receipts.length > 0) {
      await this.#db.query(RECEIPTS, [
        receipts.map(({ claimed }) => claimed.status_id),
        receipts.map(({ claimed }) => claimed.inbox),
        receipts.map(({ outcome }) => outcome.kind === 'delivered'),
        at,
      ]);
    }
    await this.#recordHosts(tried, at, random);
    const isOver = ({ claimed, outcome }: Tried): boolean =>
      outcome.kind !== 'failed' || claimed.attempts >= MAX_TRIES;
    const over = tried.filter(isOver);
    const again = tried.filter((each) => !isOver(each));
    if (over.length > 0) await this.#db.query(DELETE, keysOf(over));
    if (again.length > 0) {
      const due = again.map(({ claimed, outcome }) => {
        const pause = pauseAfter(claimed.attempts, random());
        return iso(now + Math.max(pause, (outcome.kind === 'failed' && outcome.after) || 0));
      });
      await this.#db.query(LATER, [...keysOf(again), due]);
    }
  }

  async #recordHosts(tried: readonly Tried[], at: string, random: Random): Promise<void> {
    const count = (outcomes: readonly Outcome[], kind: Outcome['kind']): number =>
      outcomes.filter((outcome) => outcome.kind === kind).length;
    const byHost = Map.groupBy(tried, ({ claimed }) => claimed.host);
    const rows = [...byHost]
      .map(([host, all]) => ({ host, ms: meanOf(all), outcomes: all.map(({ outcome }) => outcome) }))
      .map(({ host, ms, outcomes }) => ({
        host,
        ms,
        delivered: count(outcomes, 'delivered'),
        refused: count(outcomes, 'refused'),
        failed: count(outcomes, 'failed'),
        reason: outcomes
          .flatMap((outcome) => ('reason' in outcome ? outcome.reason.slice(0, 500) : []))
          .at(-1),
      }));
    const up = rows.filter(({ delivered, refused }) => delivered + refused > 0);
    if (up.length > 0) {
      await this.#db.query(HOSTS_UP, [
        up.map(({ host }) => host),
        at,
        up.map(({ delivered }) => delivered),
        up.map(({ refused }) => refused),
        up.map(({ refused, reason }) => (refused > 0 ? (reason ?? null) : null)),
        up.map(({ ms }) => ms),
      ]);
    }
    const down = rows.filter(({ failed }) => failed > 0);
    if (down.length > 0) {
      await this.#db.query(HOSTS_DOWN, [
        down.map(({ host }) => host),
        at,
        down.map(({ failed }) => failed),
        down.map(({ reason }) => reason ?? null),
        1 + random() / 4,
        down.map(({ ms }) => ms),
      ]);
    }
  }
}

/** Returns the mean time of some attempts; null when nothing was sent. */
function meanOf(tried: readonly Tried[]): number | null {
  const times = tried.flatMap(({ ms }) => ms ?? []);
  return times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0) / times.length;
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
const keysOf = (tried: readonly Pick<Tried, 'claimed'>[]): unknown[][] => [
  tried.map(({ claimed }) => claimed.activity_id),
  tried.map(({ claimed }) => claimed.inbox),
];
