import { type Db, statement } from '#kernel/read.ts';
import type { InboxJob } from './inbox-job.ts';

/** Tries per job. The pause before the next try, in seconds, doubles each time. */
const MAX_TRIES = 5;
const FIRST_PAUSE = 2;
/**
 * Jobs that may wait, per host and in total. Beyond the total, a host with few waiting jobs may still add
 * some.
 */
const BOUNDS = { perHost: 5_000, inAll: 20_000, few: 50, most: 25_000 };
/** How long the counts are cached, in milliseconds. */
const COUNTED_FOR = 5_000;

/** An activity that is sent again while it waits is kept once. So is an unproven deletion of an actor. */
const ADD = statement(
  'inbox_add',
  `insert into durable.inbox_activities (key, host, actor, kind, body, command, followers, featured, username,
     due_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (key) do nothing`,
);
/**
 * Visits the hosts in the order of their names and claims one job of each: the first untried one of an actor
 * without a running job, or the first failed one that is due. The jobs of an actor therefore keep their
 * order, except that a failed job does not block the next ones. The cost is linear in the jobs of a host. Two
 * processes skip each other's rows.
 */
const CLAIM = statement<ClaimedInboxJob>(
  'inbox_claim',
  `with recursive waiting (host) as (
     (select i.host from durable.inbox_activities i where i.host > $2 order by i.host limit 1)
     union all
     select (select i.host from durable.inbox_activities i where i.host > w.host order by i.host limit 1)
     from waiting w where w.host is not null
   ), busy (actors) as materialized (
     select $4::text[] || array(
       select i.actor from durable.inbox_activities i
       where i.leased_until is not null and i.leased_until > $1::timestamptz)
   ), picked as (
     select i.id
     from waiting w
     cross join busy b
     cross join lateral (
       select least(
         (select i.id from durable.inbox_activities i
          where i.host = w.host and i.attempts = 0 and i.actor <> all(b.actors) order by i.id limit 1),
         (select i.id from durable.inbox_activities i
          where i.host = w.host and i.attempts > 0 and i.due_at <= $1::timestamptz and i.actor <> all(b.actors)
          order by i.id limit 1)) as id
     ) first
     cross join lateral (
       select i.id from durable.inbox_activities i
       where i.id = first.id and i.due_at <= $1::timestamptz
       for update skip locked
     ) i
     where w.host is not null and w.host <> all($3::text[])
     limit $5
   )
   update durable.inbox_activities i
   set attempts = i.attempts + 1, leased_until = $1::timestamptz + interval '1 second' * $6::int
   from picked p where i.id = p.id
   returning i.id, i.host, i.attempts, i.kind, i.body as text, i.actor, i.command, i.followers, i.featured,
     i.username`,
);
const DONE = statement('inbox_done', 'delete from durable.inbox_activities where id = any($1::bigint[])');
const LATER = statement(
  'inbox_later',
  `update durable.inbox_activities set leased_until = null, due_at = $2, attempts = attempts - $3::int
   where id = $1`,
);
const RENEW = statement(
  'inbox_renew',
  `update durable.inbox_activities set leased_until = $2::timestamptz + interval '1 second' * $3::int
   where id = any($1::bigint[])`,
);
const WAITING = statement<{ any: boolean }>(
  'inbox_waiting',
  'select exists (select from durable.inbox_activities) as any',
);
const COUNT = statement<{ host: string; count: number }>(
  'inbox_count',
  'select host, count(*)::int as count from durable.inbox_activities group by host',
);

/** A job that this process holds the lease of. */
export interface ClaimedInboxJob extends InboxJob {
  id: string;
  host: string;
  /** The number of tries, this one included. */
  attempts: number;
}

/** The inbox jobs in Postgres. The caller passes the time, in milliseconds since 1970. */
export class InboxQueue {
  readonly #db: Db;
  readonly #leaseSeconds: number;
  #counted = { at: -Infinity, inAll: 0, byHost: new Map<string, number>() };

  /** `leaseSeconds` is how long a claim lasts unless it is renewed. */
  constructor(db: Db, leaseSeconds = 60) {
    this.#db = db;
    this.#leaseSeconds = leaseSeconds;
  }

  /** Adds a job. Returns false if too many wait, of its host or in total. */
  async add(job: InboxJob, now: number): Promise<boolean> {
    const { kind, text, actor, command, followers, featured, username = null } = job;
    const host = job.via ?? new URL(actor).host;
    if (!(await this.#hasRoom(host, now))) return false;
    const key = kind === 'unproven' ? actor : command;
    const row = [key, host, actor, kind, text, command, followers, featured, username, iso(now)];
    await this.#db.query(ADD, row);
    return true;
  }

  /**
   * Claims up to `room` jobs that are due, one per host, in the order of host names after the host `after`.
   * Skips `hosts` and `actors`.
   */
  async claim(wanted: {
    now: number;
    after: string;
    hosts: readonly string[];
    actors: readonly string[];
    room: number;
  }): Promise<ClaimedInboxJob[]> {
    const { now, after, hosts, actors, room } = wanted;
    const values = [iso(now), after, hosts, actors, room, this.#leaseSeconds];
    const rows = await this.#db.query(CLAIM, values);
    return rows.sort((one, other) => (one.host < other.host ? -1 : one.host > other.host ? 1 : 0));
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#db.query(DONE, [ids]);
  }

  /** Schedules another try of a failed job. Returns false, and removes the job, if no tries are left. */
  async retry({ id, attempts }: ClaimedInboxJob, now: number): Promise<boolean> {
    if (isLastTry(attempts)) {
      await this.remove([id]);
      return false;
    }
    await this.#db.query(LATER, [id, iso(now + FIRST_PAUSE * 2 ** (attempts - 1) * 1_000), 0]);
    return true;
  }

  /** Releases a job without counting the try. It is due again after `pause` milliseconds. */
  async release({ id }: ClaimedInboxJob, now: number, pause = 0): Promise<void> {
    await this.#db.query(LATER, [id, iso(now + pause), 1]);
  }

  /** Renews the leases of running jobs. */
  async renew(ids: readonly string[], now: number): Promise<void> {
    await this.#db.query(RENEW, [ids, iso(now), this.#leaseSeconds]);
  }

  async any(): Promise<boolean> {
    return (await this.#db.query(WAITING))[0]?.any === true;
  }

  async #hasRoom(host: string, now: number): Promise<boolean> {
    if (now - this.#counted.at > COUNTED_FOR) await this.#count(now);
    const { byHost, inAll } = this.#counted;
    const ofHost = byHost.get(host) ?? 0;
    const most = ofHost < BOUNDS.few ? BOUNDS.most : BOUNDS.inAll;
    if (ofHost >= BOUNDS.perHost || inAll >= most) return false;
    byHost.set(host, ofHost + 1);
    this.#counted.inAll += 1;
    return true;
  }

  async #count(now: number): Promise<void> {
    // Set before the query, so that concurrent callers do not count as well.
    this.#counted.at = now;
    const rows = await this.#db.query(COUNT);
    const byHost = new Map(rows.map(({ host, count }) => [host, count]));
    this.#counted = { at: now, byHost, inAll: rows.reduce((sum, { count }) => sum + count, 0) };
  }
}

export const isLastTry = (attempts: number): boolean => attempts >= MAX_TRIES;

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
