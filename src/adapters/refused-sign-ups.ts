import { type Db, statement } from '#kernel/read.ts';
import type { RefusedSignUps } from '#kernel/services/refused-sign-ups.ts';

/** Rows older than the displayed week are deleted with the next insert. */
const RECORD = statement(
  'refused_sign_up_record',
  `with old as (
     delete from durable.refused_sign_ups where day < (now() at time zone 'utc')::date - 7
   )
   insert into durable.refused_sign_ups as r (domain, day, mailbox, attempts)
   select domain, (now() at time zone 'utc')::date, $2, 1 from unnest($1::text[]) as blocked (domain)
   on conflict (domain, day, mailbox) do update set attempts = r.attempts + 1`,
);

/** Counts of refused sign-ups in Postgres. */
export const createRefusedSignUps = (db: Db): RefusedSignUps => ({
  async record(domains, mailbox) {
    await db.query(RECORD, [domains, mailbox]);
  },
});
