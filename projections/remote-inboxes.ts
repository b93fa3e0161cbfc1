import { AccountCreated } from '#events/accounts.ts';
import {
  AccountUriReplaced,
  REMOTE_ACCOUNTS_CHANNEL,
  RemoteAccountRemoved,
  RemoteInboxesChanged,
} from '#events/federation.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { bigint, table, tablesOf, text } from '#kernel/table/index.ts';

const INBOXES = table(
  'remote_inboxes',
  {
    account_id: bigint,
    host: text,
    inbox: text.nullAtFirst,
    shared_inbox: text.nullAtFirst,
    followers_uri: text.nullAtFirst,
  },
  ['account_id'],
);
const INSERT = INBOXES.insert();
/** Only for the first inbox. Postgres announces it when the rows are committed, so listeners find it. */
const ANNOUNCE = statement(
  'remote_inboxes_announce',
  `select pg_notify('${REMOTE_ACCOUNTS_CHANNEL}', '') where not exists (select from remote_inboxes)`,
);

const hostOf = (uri: string): string => uri.split('/')[2] ?? '';

/** The inboxes of remote accounts; `inbox` is null for accounts from before events had it. */
export const remoteInboxes: Projection = {
  name: 'remote-inboxes',
  version: 3,
  group: MAIN,
  tables: tablesOf(INBOXES),
  indexes: [],
  handlers: [
    on(AccountCreated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const remote = events.filter(({ data }) => data.domain !== null);
        if (remote.length === 0) return;
        await db.query(ANNOUNCE);
        await INSERT(
          remote.map(({ data: { id, uri } }) => ({ account_id: id, host: hostOf(uri) })),
          db,
        );
      },
    }),
    on(AccountUriReplaced, {
      keys: ({ data }) => [data.account_id],
      apply: INBOXES.set('host').each(({ data: { account_id, uri } }) => ({ account_id, host: hostOf(uri) })),
    }),
    on(RemoteInboxesChanged, {
      keys: ({ data }) => [data.account_id],
      apply: INBOXES.set('inbox', 'shared_inbox', 'followers_uri').each(({ data }) => data),
    }),
    onAccounts(RemoteAccountRemoved, deleteRowsOf(INBOXES)),
  ],
};
