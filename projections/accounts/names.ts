import type { Profile } from '#events/accounts.ts';
import {
  AccountUriReplaced,
  RemoteAccountRemoved,
  RemoteAccountRenamed,
  RemoteHandleLost,
} from '#events/federation.ts';
import { type BoundHandler, on, onAccounts } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { invalidHandle } from '#mastodon/invalid-handle.ts';
import { acctKeyOf } from './body.ts';
import { changeProfiles } from './rewrite.ts';
import { ACCOUNTS } from './tables.ts';

export const FORGET = statement(
  'accounts_delete',
  `with stats as (delete from account_stats where account_id = any($1::bigint[]))
   delete from accounts where id = any($1::bigint[])`,
);
const RELOCATE = ACCOUNTS.set('uri', 'url');
const RENAME = statement(
  'accounts_rename',
  'update accounts set username = $2, acct_key = $3, url = $4, invalid_handle = false where id = $1',
);
const INVALIDATE = statement(
  'accounts_invalidate_handle',
  'update accounts set username = $2, acct_key = $3, invalid_handle = true where id = $1',
);
const HOLDER = statement<{ id: string }>(
  'accounts_holder',
  'select id from accounts where acct_key = $1 and id <> $2',
);

/** Rewrites the bodies, which contain names. */
const rewrite = (ids: readonly string[], db: Db): Promise<void> =>
  changeProfiles(new Map(ids.map((id) => [id, (before: Profile) => before])), db);

async function invalidate(id: string, db: Db): Promise<void> {
  await db.query(INVALIDATE, [id, id, acctKeyOf(invalidHandle(id))]);
  await rewrite([id], db);
}

/** The names of remote accounts that change or become free. */
export const namesHandlers: readonly BoundHandler[] = [
  on(AccountUriReplaced, {
    keys: ({ data }) => [data.account_id],
    apply: async (events, db) => {
      await RELOCATE(
        events.map(({ data: { account_id: id, uri, url } }) => ({ id, uri, url })),
        db,
      );
      await rewrite(
        events.map(({ data }) => data.account_id),
        db,
      );
    },
  }),
  // Barriers: another account may have had the name, or get it next.
  on(RemoteAccountRenamed, {
    apply: async (events, db) => {
      for (const { data } of events) {
        const { account_id, username, domain, url } = data;
        const key = acctKeyOf({ username, domain });
        // Two confirmations at a time may both be recorded: the later one counts.
        const holders = await db.query(HOLDER, [key, account_id]);
        for (const { id } of holders) await invalidate(id, db);
        await db.query(RENAME, [account_id, username, key, url]);
        await rewrite([account_id], db);
      }
    },
  }),
  on(RemoteHandleLost, {
    apply: async (events, db) => {
      for (const { data } of events) await invalidate(data.account_id, db);
    },
  }),
  onAccounts(RemoteAccountRemoved, FORGET),
];
