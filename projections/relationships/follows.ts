import {
  AccountFollowed,
  AccountUnfollowed,
  FollowRequestAuthorized,
  FollowRequested,
  FollowRequestRejected,
  FollowRequestWithdrawn,
  FollowSettingsChanged,
} from '#events/relationships.ts';
import { type BoundHandler, newestOfAccount, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { deletePairs, keys, type Pair, PAIR_COLUMNS, PAIR_KEY, pairsOf } from './pairs.ts';

interface Settings {
  reblogs: boolean;
  notify: boolean;
  languages: string[] | null;
}
type Table = 'follows' | 'follow_requests';

const COLUMNS = `${PAIR_COLUMNS},
  id bigint not null,
  reblogs boolean not null,
  notify boolean not null,
  languages text[],
  ${PAIR_KEY}`;

/** Both tables are listed from either end, newest first. */
const indexesOf = (table: Table): string[] => [
  ...newestOfAccount(table),
  `create index ${table}_of_target on ${table} (target_account_id, id desc)`,
];

export const followTables = {
  follows: COLUMNS,
  follow_requests: COLUMNS,
  /** The URI of the last follow of this pair on the remote server, also if it ended: the answer names it. */
  follow_uris: `${PAIR_COLUMNS}, uri text not null, ${PAIR_KEY}`,
};
export const followIndexes = [
  ...indexesOf('follows'),
  ...indexesOf('follow_requests'),
  'create index follow_uris_uri on follow_uris using hash (uri)',
];

/** Languages come as JSON texts, because Postgres has no arrays of arrays of different lengths. */
const LANGUAGES = `case when n.languages is null then null
     else array(select json_array_elements_text(n.languages::json)) end`;

const insertInto = (table: Table) =>
  statement(
    `${table}_insert`,
    `insert into ${table} (account_id, target_account_id, id, reblogs, notify, languages)
     select n.account_id, n.target_account_id, n.id, n.reblogs, n.notify, ${LANGUAGES}
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bool[], $5::bool[], $6::text[])
       as n (account_id, target_account_id, id, reblogs, notify, languages)`,
  );
const updateIn = (table: Table) =>
  statement(
    `${table}_settings`,
    `update ${table} f set reblogs = n.reblogs, notify = n.notify, languages = ${LANGUAGES}
     from unnest($1::bigint[], $2::bigint[], $3::bool[], $4::bool[], $5::text[])
       as n (account_id, target_account_id, reblogs, notify, languages)
     where f.account_id = n.account_id and f.target_account_id = n.target_account_id`,
  );

const NAME = statement(
  'follow_uris_upsert',
  `insert into follow_uris (account_id, target_account_id, uri)
   select * from unnest($1::bigint[], $2::bigint[], $3::text[])
   on conflict (account_id, target_account_id) do update set uri = excluded.uri`,
);
const INSERT_FOLLOWS = insertInto('follows');
const INSERT_REQUESTS = insertInto('follow_requests');
const DELETE_FOLLOWS = deletePairs('follows');
const DELETE_REQUESTS = deletePairs('follow_requests');
const UPDATE_FOLLOWS = updateIn('follows');
const UPDATE_REQUESTS = updateIn('follow_requests');

/** Follows and follow requests. */
export const followHandlers: BoundHandler[] = [
  on(AccountFollowed, {
    keys,
    apply: async (events, db) => {
      const follows = events.map(({ data }) => data);
      await db.query(INSERT_FOLLOWS, rowsOf(follows));
      await nameFollows(follows, db);
    },
  }),
  on(FollowSettingsChanged, {
    keys,
    apply: async (events, db) => {
      const changes = events.map(({ data }) => data);
      const values = [...pairsOf(changes), ...settingsOf(changes)];
      // Only one of the two tables has the pair's row.
      await db.query(UPDATE_FOLLOWS, values);
      await db.query(UPDATE_REQUESTS, values);
      await nameFollows(changes, db);
    },
  }),
  on(AccountUnfollowed, {
    keys,
    apply: async (events, db) => {
      await db.query(DELETE_FOLLOWS, pairsOf(events.map(({ data }) => data)));
    },
  }),
  on(FollowRequested, {
    keys,
    apply: async (events, db) => {
      const requests = events.map(({ data }) => data);
      await db.query(INSERT_REQUESTS, rowsOf(requests));
      await nameFollows(requests, db);
    },
  }),
  on(FollowRequestAuthorized, {
    keys,
    apply: async (events, db) => {
      const follows = events.map(({ data }) => data);
      await db.query(DELETE_REQUESTS, pairsOf(follows));
      await db.query(INSERT_FOLLOWS, rowsOf(follows));
    },
  }),
  on(FollowRequestWithdrawn, { keys, apply: forgetRequests }),
  on(FollowRequestRejected, { keys, apply: forgetRequests }),
];

/** Writes nothing for local follows. */
async function nameFollows(follows: readonly (Pair & { uri?: string | undefined })[], db: Db): Promise<void> {
  const named = follows.filter(({ uri }) => uri !== undefined);
  if (named.length === 0) return;
  await db.query(NAME, [...pairsOf(named), named.map(({ uri }) => uri)]);
}

async function forgetRequests(events: readonly { data: Pair }[], db: Db): Promise<void> {
  await db.query(DELETE_REQUESTS, pairsOf(events.map(({ data }) => data)));
}

const settingsOf = (settings: readonly Settings[]): unknown[][] => [
  settings.map(({ reblogs }) => reblogs),
  settings.map(({ notify }) => notify),
  settings.map(({ languages }) => languages && JSON.stringify(languages)),
];
const rowsOf = (follows: readonly (Pair & Settings & { id: string })[]): unknown[][] => [
  ...pairsOf(follows),
  follows.map(({ id }) => id),
  ...settingsOf(follows),
];
