import { PersonalDataErased } from '#events/erasure.ts';
import { StatusFavourited } from '#events/interactions.ts';
import { AccountBlocked } from '#events/relationships.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, table, tablesOf, text, textOf } from '#kernel/table/index.ts';

const ACTIVITIES = table(
  'remote_activities',
  { account_id: bigint, kind: textOf<'favourite' | 'block'>(), target_id: bigint, uri: text },
  ['account_id', 'kind', 'target_id'],
);

/**
 * The URI of a remote account's last favourite of a post, or block of an account, also if it was undone: some
 * servers undo by that URI only. `follow_uris` has the activities of follows, and reblogs are posts.
 */
export const remoteActivities: Projection = {
  name: 'remote-activities',
  version: 1,
  group: MAIN,
  tables: tablesOf(ACTIVITIES),
  indexes: ['create index remote_activities_uri on remote_activities using hash (uri)'],
  handlers: [
    // Local activities have no URI.
    on(StatusFavourited, {
      keys: ({ data }) => [`favourite ${data.account_id} ${data.status_id}`],
      apply: ACTIVITIES.put().each(({ data: { account_id, status_id: target_id, uri } }) =>
        uri === undefined ? [] : [{ account_id, kind: 'favourite' as const, target_id, uri }],
      ),
    }),
    on(AccountBlocked, {
      keys: ({ data }) => [`block ${data.account_id} ${data.target_account_id}`],
      apply: ACTIVITIES.put().each(({ data: { account_id, target_account_id: target_id, uri } }) =>
        uri === undefined ? [] : [{ account_id, kind: 'block' as const, target_id, uri }],
      ),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(ACTIVITIES)),
  ],
};
