import { RemoteAccountCounted } from '#events/federation.ts';
import { StatusReblogged, StatusUnreblogged } from '#events/interactions.ts';
import { AccountFollowed, AccountUnfollowed, FollowRequestAuthorized } from '#events/relationships.ts';
import { StatusCreated, StatusDeleted } from '#events/statuses.ts';
import { type BoundHandler, columns, dataOf, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { count, countElsewhere, countFollows } from './counts.ts';
import { REBLOGS } from './tables.ts';

/** Selects the authors of reblogs: deleting a post deletes its reblogs. */
const ADD_REBLOGS = REBLOGS.insert();
const REMOVE_REBLOGS = statement<{ id: string }>(
  'account_reblogs_delete',
  `delete from account_reblogs r using unnest($1::bigint[], $2::bigint[]) as n (status_id, account_id)
   where r.status_id = n.status_id and r.account_id = n.account_id returning r.account_id as id`,
);
const REMOVE_REBLOGS_OF = statement<{ id: string }>(
  'account_reblogs_delete_of',
  'delete from account_reblogs where status_id = any($1) returning account_id as id',
);

/** Counts the followers, follows and posts of each account. */
export const counterHandlers: readonly BoundHandler[] = [
  // Counters only add up, so their order does not matter.
  on(StatusCreated, {
    keys: () => [],
    additive: true,
    apply: (events, db) =>
      count(
        events
          .filter(({ data }) => data.visibility !== 'direct')
          .map(({ data }) => ({ id: data.account_id, statuses: 1, at: data.created_at.slice(0, 10) })),
        db,
      ),
  }),
  on(StatusDeleted, {
    keys: ({ data }) => [data.id],
    additive: true,
    apply: async (events, db) => {
      const reblogs = await db.query(REMOVE_REBLOGS_OF, [events.map(({ data }) => data.id)]);
      const posts = events
        .filter(({ data }) => data.visibility !== 'direct')
        .map(({ data }) => ({ id: data.account_id }));
      await count(
        [...posts, ...reblogs].map(({ id }) => ({ id, statuses: -1 })),
        db,
      );
    },
  }),
  // A reblog counts as a post.
  on(StatusReblogged, {
    keys: ({ data }) => [data.status_id],
    additive: true,
    apply: async (events, db) => {
      await ADD_REBLOGS.from(dataOf(events), db);
      await count(
        events.map(({ data }) => ({ id: data.account_id, statuses: 1, at: data.created_at.slice(0, 10) })),
        db,
      );
    },
  }),
  on(StatusUnreblogged, {
    keys: ({ data }) => [data.status_id],
    additive: true,
    apply: async (events, db) => {
      const gone = await db.query(REMOVE_REBLOGS, columns(events, 'status_id', 'account_id'));
      await count(
        gone.map(({ id }) => ({ id, statuses: -1 })),
        db,
      );
    },
  }),
  on(AccountFollowed, { keys: () => [], additive: true, apply: (events, db) => countFollows(events, 1, db) }),
  on(FollowRequestAuthorized, {
    keys: () => [],
    additive: true,
    apply: (events, db) => countFollows(events, 1, db),
  }),
  on(AccountUnfollowed, {
    keys: () => [],
    additive: true,
    apply: (events, db) => countFollows(events, -1, db),
  }),
  on(RemoteAccountCounted, {
    keys: ({ data }) => [data.account_id],
    apply: (events, db) => countElsewhere(dataOf(events), db),
  }),
];
