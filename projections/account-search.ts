import { AccountCreated, AccountUpdated } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { RemoteAccountRenamed, RemoteHandleLost } from '#events/federation.ts';
import { UserRejected } from '#events/moderation.ts';
import { AccountMoveCancelled, AccountMoved } from '#events/moves.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { batch, bigint, boolean, table, tablesOf, text, textC, tsvector } from '#kernel/table/index.ts';
import { invalidHandle } from '#mastodon/invalid-handle.ts';
import { handleTerm, searchWords } from '#mastodon/search-terms.ts';

/** The maximum number of words of a name. */
const MAX_WORDS = 64;

/**
 * Terms come as one text, because Postgres has no arrays of arrays of different lengths; no term contains a
 * space.
 */
const vector = (column: string): string => `array_to_tsvector(string_to_array(${column}, ' '))`;

const ACCOUNTS = table(
  'account_search',
  {
    account_id: bigint,
    acct_key: textC,
    handle: tsvector,
    words: tsvector.defaultsTo("''"),
    terms: tsvector,
    moved: boolean.defaultsTo('false'),
  },
  ['account_id'],
);
const INSERT = batch(
  'account_search_insert',
  { account_id: bigint, acct_key: text, handle: text, words: text },
  (rows) => `insert into account_search (account_id, acct_key, handle, words, terms)
   select n.account_id, n.acct_key, ${vector('n.handle')}, ${vector('n.words')}, ${vector('n.handle')} || ${vector('n.words')}
   from ${rows}`,
);
const RENAME = batch(
  'account_search_rename',
  { account_id: bigint, words: text },
  (
    rows,
  ) => `update account_search s set words = ${vector('n.words')}, terms = s.handle || ${vector('n.words')}
   from ${rows} where s.account_id = n.account_id`,
);
const CHANGE_HANDLE = batch(
  'account_search_handle',
  { account_id: bigint, acct_key: text, handle: text },
  (rows) => `update account_search s
   set acct_key = n.acct_key, handle = ${vector('n.handle')}, terms = ${vector('n.handle')} || s.words
   from ${rows} where s.account_id = n.account_id`,
);
const MOVE = ACCOUNTS.set('moved');

const keys = ({ data }: { data: { account_id: string } }): string[] => [data.account_id];

/**
 * The search terms of accounts (`src/mastodon/search-terms.ts`): the handle, the words of the username, and
 * those of the display name. Visibility and suspension are checked when reading.
 */
export const accountSearch: Projection = {
  name: 'account-search',
  version: 5,
  group: MAIN,
  tables: tablesOf(ACCOUNTS),
  indexes: ['create index account_search_terms on account_search using gin (terms)'],
  handlers: [
    on(AccountCreated, {
      keys: ({ data }) => [data.id],
      apply: INSERT.each(({ data }) => ({
        account_id: data.id,
        ...handleOf(data),
        words: nameWords(data.display_name),
      })),
    }),
    on(RemoteAccountRenamed, {
      keys,
      apply: CHANGE_HANDLE.each(({ data }) => ({ account_id: data.account_id, ...handleOf(data) })),
    }),
    on(RemoteHandleLost, {
      keys,
      apply: CHANGE_HANDLE.each(({ data: { account_id } }) => ({
        account_id,
        ...handleOf(invalidHandle(account_id)),
      })),
    }),
    on(AccountUpdated, {
      keys: ({ data }) => [data.id],
      apply: RENAME.each(({ data: { id, display_name: name } }) =>
        name === undefined ? [] : [{ account_id: id, words: nameWords(name) }],
      ),
    }),
    on(UserRejected, { keys, apply: ACCOUNTS.remove().each(({ data }) => data) }),
    on(AccountMoved, { keys, apply: MOVE.each(({ data }) => ({ ...data, moved: true })) }),
    on(AccountMoveCancelled, { keys, apply: MOVE.each(({ data }) => ({ ...data, moved: false })) }),
    onAccounts(PersonalDataErased, deleteRowsOf(ACCOUNTS)),
  ],
};

interface Named {
  username: string;
  domain: string | null;
}

const acctOf = ({ username, domain }: Named): string =>
  domain === null ? username : `${username}@${domain}`;

const handleOf = (named: Named): { acct_key: string; handle: string } => ({
  acct_key: acctOf(named).toLowerCase(),
  handle: [handleTerm(acctOf(named)), ...searchWords(named.username, MAX_WORDS)].join(' '),
});

const nameWords = (displayName: string): string => searchWords(displayName, MAX_WORDS).join(' ');
