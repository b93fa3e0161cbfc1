import { type Db, statement } from '#kernel/read.ts';
import type { PersonalData } from '#kernel/services/personal-data.ts';

/** Data of an account in durable tables besides tokens, by the column that names the account. */
const TABLES: Record<string, string> = {
  authorization_codes: 'account_id',
  sessions: 'account_id',
  sign_in_steps: 'account_id',
  credentials: 'account_id',
  one_time_codes: 'account_id',
  account_addresses: 'account_id',
  crypto_messages: 'from_account_id',
  // Posts on their way to other servers; their deletion follows.
  federation_activities: 'sender',
  // The accounts that the user follows, blocks and mutes; the rows are deleted too.
  imports: 'account_id',
  // Everything that the user wrote; the file is deleted before its row.
  archives: 'account_id',
};

/** The foreign keys of a token delete its push subscription and its device. */
const FORGET = statement(
  'personal_data_forget',
  `with ${Object.entries(TABLES)
    .map(([table, column]) => `${table} as (delete from durable.${table} where ${column} = $1)`)
    .join(', ')}
   delete from durable.access_tokens where account_id = $1`,
);

/**
 * Durable tables that name accounts, each with the reason why an erasure skips it. A test compares the
 * database with this list and the tables above.
 */
export const KEPT: Readonly<Record<string, string>> = {
  retired_actor_keys: 'other servers are told of a new key by the former one; forgotten after some days',
  first_owner: 'a row lasts until the start that makes the owner has printed their password',
  actor_keys: 'other servers are told of the end by the key of the account',
};

/** The tables that an erasure clears, with the column that names the account. */
export const CLEARED: Readonly<Record<string, string>> = {
  ...TABLES,
  access_tokens: 'account_id',
  push_subscriptions: 'account_id',
  crypto_devices: 'account_id',
};

interface Dependencies {
  db: Db;
  /** Removes what deleted rows left in the database. */
  clean: () => Promise<void>;
  /** Destroys the key of a subject. */
  destroy: (subject: string) => Promise<void>;
  /** Removes mails that were written to files. */
  removeMails: (addresses: readonly string[]) => Promise<void>;
  /** Removes the file of the account's archive. */
  removeArchive: (accountId: string) => Promise<void>;
}

/** Creates the access to data about users outside of the log and the read models. */
export const createPersonalData = ({
  db,
  clean,
  destroy,
  removeMails,
  removeArchive,
}: Dependencies): PersonalData => ({
  erase: destroy,
  clean,
  async forget(accountId, addresses) {
    await removeArchive(accountId);
    await db.query(FORGET, [accountId]);
    await removeMails(addresses);
  },
});
