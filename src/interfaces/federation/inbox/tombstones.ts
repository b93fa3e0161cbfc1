import { createHash } from 'node:crypto';
import { statement, type Db } from '../../../kernel/read.ts';

/** Servers try for some days to deliver what was not taken at once. */
const NOTE = statement(
  'withdrawn_note',
  'insert into durable.withdrawn (digest) values ($1) on conflict (digest) do update set withdrawn_at = now()',
);
const HAS = statement('withdrawn_has', 'select from durable.withdrawn where digest = $1');
const TAKE = statement('withdrawn_take', 'delete from durable.withdrawn where digest = $1 returning 1');
const BATCH = 10_000;
/** Beyond, the oldest go: who invents names must not fill the disk. */
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
 * What actors took back before it came here: posts that they deleted, and what they did and undid. Servers deliver on connections side
 * by side and try anew what failed, so a `Delete` may overtake its `Create`, and an `Undo` what it undoes.
 */
export class InboxTombstones {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Of an actor, by the URI of the post or the activity: it is not to be taken when it comes. Or by what it did to a post. */
  async add(actor: string, uri: string): Promise<void> {
    await this.#db.query(NOTE, [digestOf(actor, uri)]);
  }

  /** Of a post: it does not come back. */
  async has(actor: string, uri: string): Promise<boolean> {
    return (await this.#db.query(HAS, [digestOf(actor, uri)])).length > 0;
  }

  /** Of an activity: taken back once, it counts the next time. Some servers call every follow or like of a pair by one name. */
  async consume(actor: string, uri: string): Promise<boolean> {
    return (await this.#db.query(TAKE, [digestOf(actor, uri)])).length > 0;
  }
}

/** Drops what nobody tries to deliver any more, and what is too much. `max` is how many are kept. */
export async function pruneTombstones(db: Db, max = MAX_KEPT): Promise<void> {
  while ((await db.query(FORGET, [max])).length === BATCH);
}

/** Of both: nobody withdraws what somebody else at his server did. */
const digestOf = (actor: string, uri: string): Buffer =>
  createHash('sha256').update(`${actor} ${uri}`).digest();
