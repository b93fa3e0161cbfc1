import { DORMANT_DAYS, UserActive } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import {
  ReblogRequested,
  ReblogRequestEnded,
  StatusReblogged,
  StatusUnreblogged,
} from '#events/interactions.ts';
import {
  AccountFollowed,
  AccountUnfollowed,
  FollowRequestAuthorized,
  FollowSettingsChanged,
} from '#events/relationships.ts';
import { ReplyRequested, ReplyRequestEnded, StatusCreated, StatusDeleted } from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { LARGEST_ID } from '#kernel/ids.ts';
import { deleteRowsOf, type Handler, type LastState, on, onAccounts } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type Arrival, LEAVE, postColumns, requestsOf } from './arrivals.ts';
import * as sql from './statements.ts';
import { POSTS, READERS } from './tables.ts';

const POST = statement(
  'home_posts_insert',
  `insert into home_posts (account_id, status_id, wide, direct)
   select n.account_id, n.status_id, false, n.direct
   from unnest($1::bigint[], $2::bigint[], $3::bool[]) as n (account_id, status_id, direct)
   on conflict (account_id, status_id) do update set direct = excluded.direct`,
);
const AUTHORS = statement(
  'home_authors_fill',
  `insert into home_authors (account_id, newest_id) select account_id, max(status_id) from home_posts group by account_id
   on conflict (account_id) do update set newest_id = excluded.newest_id`,
);
const present = (schema = ''): string =>
  `active_on > (select max(active_on) from ${schema}home_readers) - ${DORMANT_DAYS}`;
/** Merging on read serves those who are not filled, until they are. */
const UNFILLED = statement('home_readers_unfilled', `update home_readers set complete_after = ${LARGEST_ID}`);
const PARTS = 4;
const FILL_ALL = Array.from({ length: PARTS }, (_, part) =>
  statement(
    `home_entries_fill_part_${part}`,
    sql.fill(
      `select account_id from home_readers where mod(abs(hashint8(account_id)::bigint), ${PARTS}) = ${part} and ${present()}`,
    ),
  ),
);

const byPost = { keys: ({ data }: { data: { id: string } }) => [`post ${data.id}`] };
const byFollow = {
  keys: ({ data }: { data: { account_id: string; target_account_id: string } }) => [
    `follow ${data.account_id} ${data.target_account_id}`,
  ],
};

const arrive = (posts: readonly Arrival[], db: Db): Promise<unknown> => db.query(POST, postColumns(posts));
const posts: Handler<RecordedOf<typeof StatusCreated> | RecordedOf<typeof StatusReblogged>> = {
  ...byPost,
  apply: async (events, db) => {
    await arrive(
      events.map(({ data }) => data),
      db,
    );
  },
};
const requests: Handler<RecordedOf<typeof ReplyRequested> | RecordedOf<typeof ReblogRequested>> = {
  ...byPost,
  apply: async (events, db) => {
    await arrive(requestsOf(events), db);
  },
};
const leave: Handler<{ data: Pick<Arrival, 'id' | 'account_id'> } & RecordedOf<typeof StatusDeleted>> = {
  ...byPost,
  apply: async (events, db) => {
    await db.query(LEAVE, [events.map(({ data }) => data.account_id), events.map(({ data }) => data.id)]);
  },
};
const follows: Handler<RecordedOf<typeof AccountFollowed> | RecordedOf<typeof FollowRequestAuthorized>> = {
  ...byFollow,
  apply: async (events, db) => {
    await db.query(sql.FOLLOW, sql.followColumns(events.map(({ data }) => data)));
  },
};

/** A build keeps follows, posts and readers, and fills the home timelines of present readers once at its end. */
export const lastState: LastState = {
  handlers: [
    on(StatusCreated, posts),
    on(StatusReblogged, posts),
    on(ReplyRequested, requests),
    on(ReblogRequested, requests),
    ...[ReplyRequestEnded, ReblogRequestEnded, StatusDeleted, StatusUnreblogged].map((ended) =>
      on(ended as typeof StatusDeleted, leave),
    ),
    on(AccountFollowed, follows),
    on(FollowRequestAuthorized, follows),
    on(FollowSettingsChanged, {
      ...byFollow,
      apply: async (events, db) => {
        await db.query(sql.SETTINGS, sql.followColumns(events.map(({ data }) => data)));
      },
    }),
    on(AccountUnfollowed, {
      ...byFollow,
      apply: (events, db) =>
        sql.unfollow(
          events.map(({ data }) => data),
          db,
        ),
    }),
    on(UserActive, {
      keys: () => ['readers'],
      additive: true,
      apply: async (events, db) => {
        await db.query(sql.TOUCH, [
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.date),
        ]);
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(READERS), deleteRowsOf(POSTS)),
  ],
  finish: [[AUTHORS, UNFILLED], FILL_ALL],
};

/**
 * Compares the newest posts of each reader, in whichever table they are found, instead of the stored rows.
 * Direct posts are left out, because mentions decide who sees them.
 */
export const compared = {
  home_posts: (schema: string) => `select account_id, status_id, direct from ${schema}.home_posts`,
  home_authors: (schema: string) =>
    `select account_id, newest_id from ${schema}.home_authors where newest_id is not null`,
  home_readers: (schema: string) => `select account_id, active_on from ${schema}.home_readers`,
  home_entries: (schema: string) => `
    select r.account_id, v.status_id from ${schema}.home_readers r cross join lateral (
      select p.status_id from (
        select target_account_id as id from ${schema}.home_follows where account_id = r.account_id union select r.account_id
      ) author join ${schema}.home_posts p on p.account_id = author.id
      where (p.wide or p.status_id <= r.complete_after or exists (
          select from ${schema}.home_entries e where e.account_id = r.account_id and e.status_id = p.status_id))
        and (not p.direct or p.account_id = r.account_id)
      order by p.status_id desc limit ${sql.BACKFILL}
    ) v where ${present(`${schema}.`)}`,
};
