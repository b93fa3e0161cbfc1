import { createHash } from 'node:crypto';
import { statement, type Db } from '../../kernel/read.ts';

/** Servers try for some days to deliver what was not taken at once. */
const NOTE = statement(
  'withdrawn_posts_note',
  'insert into durable.withdrawn_posts (digest) values ($1) on conflict (digest) do update set withdrawn_at = now()',
);
const HAS = statement('withdrawn_posts_has', 'select from durable.withdrawn_posts where digest = $1');
const BATCH = 10_000;
const FORGET = statement(
  'withdrawn_posts_forget',
  `delete from durable.withdrawn_posts where digest in (
     select digest from durable.withdrawn_posts where withdrawn_at < now() - interval '8 days' limit ${BATCH})
   returning 1`,
);

/**
 * Posts that their authors deleted before they came here. Servers deliver on connections side by side and try anew what failed, so a
 * `Delete` may overtake its `Create`.
 */
export class WithdrawnPosts {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Of an author, by its URI: it is not to be taken when it comes. */
  async note(author: string, uri: string): Promise<void> {
    await this.#db.query(NOTE, [digestOf(author, uri)]);
  }

  async has(author: string, uri: string): Promise<boolean> {
    return (await this.#db.query(HAS, [digestOf(author, uri)])).length > 0;
  }
}

/** Drops what nobody tries to deliver any more. */
export async function forgetWithdrawnPosts(db: Db): Promise<void> {
  while ((await db.query(FORGET)).length === BATCH);
}

/** Of both: nobody withdraws what somebody else at his server wrote. */
const digestOf = (author: string, uri: string): Buffer =>
  createHash('sha256').update(`${author} ${uri}`).digest();
