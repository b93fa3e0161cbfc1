import { AccountCreated, AccountUpdated } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { RemoteAccountRenamed, RemoteHandleLost } from '#events/federation.ts';
import { UserRejected } from '#events/moderation.ts';
import { AccountMoveCancelled, AccountMoved } from '#events/moves.ts';
import { MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { invalidHandle } from '#mastodon/invalid-handle.ts';
import { handleTerm, searchWords } from '#mastodon/search-terms.ts';

/** The maximum number of words of a name. */
const MAX_WORDS = 64;

/**
 * Terms come as one text, because Postgres has no arrays of arrays of different lengths; no term contains a
 * space.
 */
const vector = (column: string): string => `array_to_tsvector(string_to_array(${column}, ' '))`;

const INSERT = statement(
  'account_search_insert',
  `insert into account_search (account_id, acct_key, handle, words, terms)
   select n.account_id, n.acct_key, ${vector('n.handle')}, ${vector('n.words')}, ${vector('n.handle')} || ${vector('n.words')}
   from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as n (account_id, acct_key, handle, words)`,
);
const RENAME = statement(
  'account_search_rename',
  `update account_search s set words = ${vector('n.words')}, terms = s.handle || ${vector('n.words')}
   from unnest($1::bigint[], $2::text[]) as n (account_id, words) where s.account_id = n.account_id`,
);
const CHANGE_HANDLE = statement(
  'account_search_handle',
  `update account_search s
   set acct_key = n.acct_key, handle = ${vector('n.handle')}, terms = ${vector('n.handle')} || s.words
   from unnest($1::bigint[], $2::text[], $3::text[]) as n (account_id, acct_key, handle)
   where s.account_id = n.account_id`,
);
const MOVE = statement(
  'account_search_move',
  'update account_search set moved = $2 where account_id = any($1)',
);
const FORGET = statement(
  'account_search_delete',
  'delete from account_search where account_id = any($1::bigint[])',
);

/**
 * The search terms of accounts (`src/mastodon/search-terms.ts`): the handle, the words of the username, and
 * those of the display name. Visibility and suspension are checked when reading.
 */
export const accountSearch: Projection = {
  name: 'account-search',
  version: 5,
  group: MAIN,
  tables: {
    account_search: `
      account_id bigint primary key,
      acct_key text collate "C" not null,
      handle tsvector not null,
      words tsvector not null default '',
      terms tsvector not null,
      moved boolean not null default false`,
  },
  indexes: ['create index account_search_terms on account_search using gin (terms)'],
  handlers: [
    on(AccountCreated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        await db.query(INSERT, [
          events.map(({ data }) => data.id),
          events.map(({ data }) => acctOf(data).toLowerCase()),
          events.map(({ data }) => handleTerms(data)),
          events.map(({ data }) => nameWords(data.display_name)),
        ]);
      },
    }),
    on(RemoteAccountRenamed, {
      keys: ({ data }) => [data.account_id],
      apply: (events, db) =>
        changeHandles(
          events.map(({ data }) => data),
          db,
        ),
    }),
    on(RemoteHandleLost, {
      keys: ({ data }) => [data.account_id],
      apply: (events, db) =>
        changeHandles(
          events.map(({ data: { account_id } }) => ({ account_id, ...invalidHandle(account_id) })),
          db,
        ),
    }),
    on(AccountUpdated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const named = events.flatMap(({ data: { id, display_name } }) =>
          display_name === undefined ? [] : [{ id, words: nameWords(display_name) }],
        );
        if (named.length === 0) return;
        await db.query(RENAME, [named.map(({ id }) => id), named.map(({ words }) => words)]);
      },
    }),
    on(UserRejected, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(FORGET, [events.map(({ data }) => data.account_id)]);
      },
    }),
    on(AccountMoved, {
      keys: ({ data }) => [data.account_id],
      apply: (events, db) => setMoved(events, true, db),
    }),
    on(AccountMoveCancelled, {
      keys: ({ data }) => [data.account_id],
      apply: (events, db) => setMoved(events, false, db),
    }),
    onAccounts(PersonalDataErased, FORGET),
  ],
};

interface Named {
  username: string;
  domain: string | null;
}

const acctOf = ({ username, domain }: Named): string =>
  domain === null ? username : `${username}@${domain}`;

const handleTerms = (named: Named): string =>
  [handleTerm(acctOf(named)), ...searchWords(named.username, MAX_WORDS)].join(' ');

const nameWords = (displayName: string): string => searchWords(displayName, MAX_WORDS).join(' ');

async function changeHandles(changed: readonly (Named & { account_id: string })[], db: Db): Promise<void> {
  await db.query(CHANGE_HANDLE, [
    changed.map(({ account_id }) => account_id),
    changed.map((named) => acctOf(named).toLowerCase()),
    changed.map(handleTerms),
  ]);
}

async function setMoved(
  events: readonly { data: { account_id: string } }[],
  moved: boolean,
  db: Db,
): Promise<void> {
  await db.query(MOVE, [events.map(({ data }) => data.account_id), moved]);
}
