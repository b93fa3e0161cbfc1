import { statement, type Db } from '../../../kernel/read.ts';
import type { InboxJob } from './inbox-job.ts';

/** A letter is tried so often; the pause before the next try is doubled each time, in seconds. */
const MAX_TRIES = 5;
const FIRST_PAUSE = 2;
/** Letters of one host that may wait, and of all hosts together. Where all are too many, a host with few is let in still. */
const BOUNDS = { perHost: 5_000, inAll: 20_000, few: 50, most: 25_000 };
/** Milliseconds after which they are counted anew. */
const COUNTED_FOR = 5_000;

/** A letter that is sent again while it waits is kept once, and so is an unproven letter of an actor. */
const ADD = statement(
  'inbox_add',
  `insert into durable.inbox_activities (key, host, actor, kind, body, command, followers, featured, due_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (key) do nothing`,
);
/**
 * Goes from host to host, in the order of their names, and takes the first letter of each that may be carried out: the first that was
 * not tried yet, of an actor of which none is carried out, or the first that failed and is due again. So the letters of an actor keep
 * their order, except that one which failed keeps no other waiting. The cost grows with the letters of a host, never with their square.
 * Two processes pass over each other's rows.
 */
const CLAIM = statement(
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
   returning i.id, i.host, i.attempts, i.kind, i.body as text, i.actor, i.command, i.followers, i.featured`,
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
const WAITING = statement('inbox_waiting', 'select exists (select from durable.inbox_activities) as any');
const COUNT = statement(
  'inbox_count',
  'select host, count(*)::int as count from durable.inbox_activities group by host',
);

/** A letter that this process has to itself for a while. */
export interface ClaimedInboxJob extends InboxJob {
  id: string;
  host: string;
  /** This one included. */
  attempts: number;
}

/** The letters in Postgres. Times are milliseconds since 1970, and given. */
export class InboxQueue {
  readonly #db: Db;
  readonly #leaseSeconds: number;
  #counted = { at: -Infinity, inAll: 0, byHost: new Map<string, number>() };

  /** `leaseSeconds`: for so long a process has what it took to itself, unless it renews that. */
  constructor(db: Db, leaseSeconds = 60) {
    this.#db = db;
    this.#leaseSeconds = leaseSeconds;
  }

  /** Keeps a letter. False where too many wait, of its host or in all. */
  async add(letter: InboxJob, now: number): Promise<boolean> {
    const { kind, text, actor, command, followers, featured } = letter;
    const host = letter.via ?? new URL(actor).host;
    if (!(await this.#hasRoom(host, now))) return false;
    const key = kind === 'unproven' ? actor : command;
    await this.#db.query(ADD, [key, host, actor, kind, text, command, followers, featured, iso(now)]);
    return true;
  }

  /**
   * Takes up to `room` letters that are due, one per host, in the order of the names of hosts. `after`: hosts up to this one had their
   * turn. `hosts` and `actors` are left out.
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
    const rows = await this.#db.query<ClaimedInboxJob>(CLAIM, values);
    return rows.sort((one, other) => (one.host < other.host ? -1 : one.host > other.host ? 1 : 0));
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#db.query(DONE, [ids]);
  }

  /** Puts a letter back that failed. False where it was tried often enough: it is removed. */
  async retry({ id, attempts }: ClaimedInboxJob, now: number): Promise<boolean> {
    if (isLastTry(attempts)) {
      await this.remove([id]);
      return false;
    }
    await this.#db.query(LATER, [id, iso(now + FIRST_PAUSE * 2 ** (attempts - 1) * 1_000), 0]);
    return true;
  }

  /** Puts a letter back as if it had not been taken, for so many milliseconds. */
  async release({ id }: ClaimedInboxJob, now: number, pause = 0): Promise<void> {
    await this.#db.query(LATER, [id, iso(now + pause), 1]);
  }

  /** Keeps what is being carried out from other processes for another while. */
  async renew(ids: readonly string[], now: number): Promise<void> {
    await this.#db.query(RENEW, [ids, iso(now), this.#leaseSeconds]);
  }

  async any(): Promise<boolean> {
    return (await this.#db.query<{ any: boolean }>(WAITING))[0]?.any === true;
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
    // Set first: those that come meanwhile do not count as well.
    this.#counted.at = now;
    const rows = await this.#db.query<{ host: string; count: number }>(COUNT);
    const byHost = new Map(rows.map(({ host, count }) => [host, count]));
    this.#counted = { at: now, byHost, inAll: rows.reduce((sum, { count }) => sum + count, 0) };
  }
}

export const isLastTry = (attempts: number): boolean => attempts >= MAX_TRIES;

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
