import { PersonalDataErased } from '#events/erasure.ts';
import { StatusFavourited } from '#events/interactions.ts';
import { AccountBlocked } from '#events/relationships.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';

const NAME = statement(
  'remote_activities_upsert',
  `insert into remote_activities (account_id, kind, target_id, uri)
   select n.account_id, $1::text, n.target_id, n.uri from unnest($2::bigint[], $3::bigint[], $4::text[]) as n (account_id, target_id, uri)
   on conflict (account_id, kind, target_id) do update set uri = excluded.uri`,
);

/**
 * The URI of a remote account's last favourite of a post, or block of an account, also if it was undone: some
 * servers undo by that URI only. `follow_uris` has the activities of follows, and reblogs are posts.
 */
export const remoteActivities: Projection = {
  name: 'remote-activities',
  version: 1,
  group: MAIN,
  tables: {
    remote_activities: `
      account_id bigint,
      kind text,
      target_id bigint,
      uri text not null,
      primary key (account_id, kind, target_id)`,
  },
  indexes: ['create index remote_activities_uri on remote_activities using hash (uri)'],
  handlers: [
    on(StatusFavourited, {
      keys: ({ data }) => [`favourite ${data.account_id} ${data.status_id}`],
      apply: (events, db) =>
        name(
          'favourite',
          events.map(({ data }) => ({ ...data, target_id: data.status_id })),
          db,
        ),
    }),
    on(AccountBlocked, {
      keys: ({ data }) => [`block ${data.account_id} ${data.target_account_id}`],
      apply: (events, db) =>
        name(
          'block',
          events.map(({ data }) => ({ ...data, target_id: data.target_account_id })),
          db,
        ),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('remote_activities')),
  ],
};

interface Act {
  account_id: string;
  target_id: string;
  uri?: string | undefined;
}

/** Writes nothing for local activities. */
async function name(kind: 'favourite' | 'block', acts: readonly Act[], db: Db): Promise<void> {
  const named = acts.filter(({ uri }) => uri !== undefined);
  if (named.length === 0) return;
  await db.query(NAME, [
    kind,
    named.map(({ account_id }) => account_id),
    named.map(({ target_id }) => target_id),
    named.map(({ uri }) => uri),
  ]);
}
