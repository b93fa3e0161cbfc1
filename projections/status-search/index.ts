import { AccountCreated, AccountUpdated } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { ReplyLinked, StatusCreated, StatusDeleted, StatusEdited } from '#events/statuses.ts';
import { deleteRowsOf, on, onAccounts, type Projection, SEARCH } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { bigint, boolean, table, tablesOf, text, timestamptz } from '#kernel/table/index.ts';
import { IS_REPLY, searchWordsOf } from './words.ts';

const ACCOUNTS = table('indexable_accounts', { account_id: bigint }, ['account_id']);
const STATUSES = table(
  'status_search',
  {
    status_id: bigint,
    account_id: bigint,
    created_at: timestamptz,
    public: boolean,
    open: boolean,
    words: text,
  },
  ['status_id'],
);
const INSERT = statement(
  'status_search_insert',
  `insert into status_search (status_id, account_id, created_at, public, open, words)
   select n.status_id, n.account_id, n.created_at, n.public, n.public and a.account_id is not null, n.words
   from (select unnest($1::bigint[]) as status_id, unnest($2::bigint[]) as account_id, unnest($3::timestamptz[]) as created_at,
     unnest($4::bool[]) as public, unnest($5::text[]) as words) n
   left join indexable_accounts a on a.account_id = n.account_id`,
);
const UPDATE = STATUSES.set('words');
/** As in the edit, from then on. */
const REPLY = statement(
  'status_search_reply',
  `update status_search set words = ' ${IS_REPLY}' || words where status_id = any($1::bigint[])`,
);
const OPEN = statement(
  'status_search_open',
  `with opened as (
     insert into indexable_accounts select unnest($1::bigint[]) on conflict do nothing returning account_id
   )
   update status_search s set open = true from opened o where s.account_id = o.account_id and s.public`,
);
const CLOSE = statement(
  'status_search_close',
  `with closed as (delete from indexable_accounts where account_id = any($1::bigint[]) returning account_id)
   update status_search s set open = false from closed c where s.account_id = c.account_id and s.open`,
);

const byStatus = ({ data }: { data: { id: string } }): string[] => [data.id];

/**
 * The words by which posts are found (`status-search/words.ts`). In a group of its own, so that posting does
 * not wait for it. `open`: public, by an author who is discoverable. Only those are in the index of words,
 * which costs more than all the rest here; other posts are found by readers who are involved, and there are
 * few to go through. Visibility is checked when reading. The pending list of the index is short: every search
 * goes through it.
 */
export const statusSearch: Projection = {
  name: 'status-search',
  version: 5,
  group: SEARCH,
  tables: tablesOf(ACCOUNTS, STATUSES),
  handlerIndexes: ['create index status_search_account on status_search (account_id, status_id)'],
  indexes: [
    'create index status_search_open on status_search (status_id) where open',
    `create index status_search_words on status_search using gin ((words::tsvector))
       with (gin_pending_list_limit = 512) where open`,
  ],
  handlers: [
    on(StatusCreated, {
      keys: byStatus,
      // Whether everyone finds it depends on its author's earlier settings.
      reads: ({ data }) => [data.account_id],
      additive: true,
      apply: async (events, db) => {
        await db.query(INSERT, [
          events.map(({ data }) => data.id),
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.created_at),
          events.map(({ data }) => data.visibility === 'public'),
          events.map(({ data }) => searchWordsOf(data)),
        ]);
      },
    }),
    on(StatusEdited, {
      keys: byStatus,
      apply: UPDATE.each(({ data }) => ({ status_id: data.id, words: searchWordsOf(data) })),
    }),
    on(ReplyLinked, {
      keys: byStatus,
      apply: async (events, db) => {
        await db.query(REPLY, [events.map(({ data }) => data.id)]);
      },
    }),
    on(StatusDeleted, {
      keys: byStatus,
      apply: STATUSES.remove().each(({ data }) => ({ status_id: data.id })),
    }),
    on(AccountCreated, { keys: ({ data }) => [data.id], apply: (events, db) => choose(events, db) }),
    on(AccountUpdated, { keys: ({ data }) => [data.id], apply: (events, db) => choose(events, db) }),
    onAccounts(PersonalDataErased, deleteRowsOf(STATUSES), deleteRowsOf(ACCOUNTS)),
  ],
};

/** Accounts that change whether everyone may find their posts. */
async function choose(
  events: readonly { data: { id: string; indexable?: boolean | undefined } }[],
  db: Db,
): Promise<void> {
  const accounts = events.map(({ data }) => data);
  const open = accounts.filter(({ indexable }) => indexable === true).map(({ id }) => id);
  const closed = accounts.filter(({ indexable }) => indexable === false).map(({ id }) => id);
  if (open.length > 0) await db.query(OPEN, [open]);
  if (closed.length > 0) await db.query(CLOSE, [closed]);
}
