import { RookeryError } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Mailer } from './mailer.ts';

/**
 * The maximum of such mails to one mailbox, within so many seconds after the first. Kinds with the same name
 * count together.
 */
interface Bound {
  name: string;
  most: number;
  seconds: number;
}

const HOUR = 3_600;
/**
 * Anyone who knows a user's name can trigger these mails; the bound also keeps the wait of the mailbox's
 * owner short.
 */
const LINKS: Bound = { name: 'links', most: 10, seconds: HOUR };
const BOUNDS: Readonly<Record<string, Bound>> = {
  confirmation: LINKS,
  'password-reset': LINKS,
  'address-change': LINKS,
  // A single mail is enough to warn that another person has the password.
  'wrong-code': { name: 'wrong-code', most: 1, seconds: HOUR },
};

/**
 * Counts one more mail, in a new window when the last one has ended. Deletes counts older than all windows.
 */
const COUNT = statement<{ mails: number }>(
  'bounded_mails_count',
  `with old as (
     delete from durable.bounded_mails
     where since < now() - interval '1 day' and (mailbox, bound) <> ($1::text, $2::text)
   )
   insert into durable.bounded_mails as m (mailbox, bound, since, mails) values ($1::text, $2::text, now(), 1)
   on conflict (mailbox, bound) do update set
     mails = case when m.since < now() - make_interval(secs => $3) then 1 else m.mails + 1 end,
     since = case when m.since < now() - make_interval(secs => $3) then now() else m.since end
   returning mails`,
);

/** Unsent mails do not count. */
const GIVE_BACK = statement(
  'bounded_mails_give_back',
  'update durable.bounded_mails set mails = mails - 1 where mailbox = $1 and bound = $2 and mails > 0',
);

interface Options {
  db: Db;
  /** Returns the keyed digest of a mailbox, the same for all spellings of its address. */
  digest: (address: string) => string;
}

/**
 * Bounds the mails that any number of strangers can cause for one mailbox. Beyond it, `send` throws
 * `too_many_requests`.
 */
export const boundedMailer = (mailer: Mailer, { db, digest }: Options): Mailer => ({
  ...mailer,
  async send(mail) {
    const bound = BOUNDS[mail.kind];
    if (!bound) return mailer.send(mail);
    const counted = [digest(mail.to), bound.name];
    const [row] = await db.query(COUNT, [...counted, bound.seconds]);
    if ((row?.mails ?? 1) > bound.most) throw new RookeryError('too_many_requests', TOO_MANY);
    try {
      await mailer.send(mail);
    } catch (error) {
      await db.query(GIVE_BACK, counted).catch(() => undefined);
      throw error;
    }
  },
});

const TOO_MANY = 'Too many mails went to this address. Please try again in an hour';
