import {
  AccountUriReplaced,
  RemoteAccountRemoved,
  RemoteAccountRenamed,
} from '../../src/events/federation.ts';
import type { Profile } from '../../src/events/accounts.ts';
import { columns, on, onAccounts, type BoundHandler } from '../../src/kernel/projection.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { acctKeyOf } from './body.ts';
import { changeProfiles } from './rewrite.ts';

export const FORGET = statement(
  'accounts_delete',
  `with stats as (delete from account_stats where account_id = any($1::bigint[]))
   delete from accounts where id = any($1::bigint[])`,
);
const RELOCATE = statement(
  'accounts_relocate',
  `update accounts a set uri = n.uri, url = n.url
   from unnest($1::bigint[], $2::text[], $3::text[]) as n (id, uri, url) where a.id = n.id`,
);
const RENAME = statement(
  'accounts_rename',
  'update accounts set username = $2, acct_key = $3, url = $4 where id = $1',
);

/** Rewrites the bodies, which contain names. */
const rewrite = (ids: readonly string[], db: Db): Promise<void> =>
  changeProfiles(new Map(ids.map((id) => [id, (before: Profile) => before])), db);

/** The names of remote accounts that change or become free. */
export const namesHandlers: readonly BoundHandler[] = [
  on(AccountUriReplaced, {
    keys: ({ data }) => [data.account_id],
    apply: async (events, db) => {
      await db.query(RELOCATE, columns(events, 'account_id', 'uri', 'url'));
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
        await db.query(RENAME, [account_id, username, acctKeyOf({ username, domain }), url]);
        await rewrite([account_id], db);
      }
    },
  }),
  onAccounts(RemoteAccountRemoved, FORGET),
];
