import { createHash } from 'node:crypto';
import { type Db, statement } from '#kernel/read.ts';

/** Servers retry a delivery for some days. */
const NOTE = statement(
  'withdrawn_note',
  'insert into durable.withdrawn (digest) values ($1) on conflict (digest) do update set withdrawn_at = now()',
);
const HAS = statement('withdrawn_has', 'select from durable.withdrawn where digest = $1');
const TAKE = statement('withdrawn_take', 'delete from durable.withdrawn where digest = $1 returning 1');
const BATCH = 10_000;
/** Beyond this number the oldest are removed, so that invented ids cannot fill the disk. */
const MAX_KEPT = 1_000_000;
const FORGET = statement(
  'withdrawn_forget',
  `delete from durable.withdrawn where digest in (
     select digest from durable.withdrawn where withdrawn_at <= greatest(now() - interval '8 days', (
       select withdrawn_at from durable.withdrawn order by withdrawn_at desc offset $1 limit 1))
     limit ${BATCH})
   returning 1`,
);

/**
 * Objects that actors withdrew before they arrived: deleted posts, and undone activities. Servers deliver on
 * parallel connections and retry failures, so a `Delete` may overtake its `Create`, and an `Undo` its
 * activity.
 */
export class InboxTombstones {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Marks the URI of an actor's post or activity, or its interaction with a post: it is refused when it
   * arrives.
   */
  async add(actor: string, uri: string): Promise<void> {
    await this.#db.query(NOTE, [digestOf(actor, uri)]);
  }

  /** Tells whether a post was withdrawn: it does not come back. */
  async has(actor: string, uri: string): Promise<boolean> {
    return (await this.#db.query(HAS, [digestOf(actor, uri)])).length > 0;
  }

  /**
   * Tells whether an activity was withdrawn, once: the next one counts. Some servers give every follow or
   * like of a pair the same URI.
   */
  async consume(actor: string, uri: string): Promise<boolean> {
    return (await this.#db.query(TAKE, [digestOf(actor, uri)])).length > 0;
  }
}

/** Drops tombstones that are older than any retry, and those above `max`. */
export async function pruneTombstones(db: Db, max = MAX_KEPT): Promise<void> {
  while ((await db.query(FORGET, [max])).length === BATCH);
}

/** Covers both: an actor cannot withdraw objects of another actor on its server. */
const digestOf = (actor: string, uri: string): Buffer =>
  createHash('sha256').update(`${actor} ${uri}`).digest();
