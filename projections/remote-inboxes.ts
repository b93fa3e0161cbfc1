import { AccountCreated } from '#events/accounts.ts';
import {
  AccountUriReplaced,
  REMOTE_ACCOUNTS_CHANNEL,
  RemoteAccountRemoved,
  RemoteInboxesChanged,
} from '#events/federation.ts';
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

/** Only for the first inbox. Postgres announces it when the rows are committed, so listeners find it. */
const ANNOUNCE = statement(
  'remote_inboxes_announce',
  `select pg_notify('${REMOTE_ACCOUNTS_CHANNEL}', '') where not exists (select from remote_inboxes)`,
);
const INSERT = statement(
  'remote_inboxes_insert',
  `insert into remote_inboxes (account_id, host)
   select id, split_part(uri, '/', 3) from unnest($1::bigint[], $2::text[]) as n (id, uri)`,
);
const RELOCATE = statement(
  'remote_inboxes_relocate',
  `update remote_inboxes r set host = split_part(n.uri, '/', 3)
   from unnest($1::bigint[], $2::text[]) as n (account_id, uri) where r.account_id = n.account_id`,
);
const UPDATE = statement(
  'remote_inboxes_update',
  `update remote_inboxes r set inbox = n.inbox, shared_inbox = n.shared_inbox, followers_uri = n.followers_uri
   from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as n (account_id, inbox, shared_inbox, followers_uri)
   where r.account_id = n.account_id`,
);

/** The inboxes of remote accounts; `inbox` is null for accounts from before events had it. */
export const remoteInboxes: Projection = {
  name: 'remote-inboxes',
  version: 3,
  group: MAIN,
  tables: {
    remote_inboxes: `
      account_id bigint primary key,
      host text not null,
      inbox text,
      shared_inbox text,
      followers_uri text`,
  },
  indexes: [],
  handlers: [
    on(AccountCreated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const remote = events.filter(({ data }) => data.domain !== null);
        if (remote.length === 0) return;
        await db.query(ANNOUNCE);
        await db.query(INSERT, columns(remote, 'id', 'uri'));
      },
    }),
    on(AccountUriReplaced, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(RELOCATE, columns(events, 'account_id', 'uri'));
      },
    }),
    on(RemoteInboxesChanged, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(UPDATE, columns(events, 'account_id', 'inbox', 'shared_inbox', 'followers_uri'));
      },
    }),
    onAccounts(RemoteAccountRemoved, deleteRowsOf('remote_inboxes')),
  ],
};
