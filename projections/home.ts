import { UserActive } from '../src/events/accounts.ts';
import { StatusReblogged, StatusUnreblogged } from '../src/events/interactions.ts';
import {
  AccountFollowed,
  AccountUnfollowed,
  FollowRequestAuthorized,
  FollowSettingsChanged,
} from '../src/events/relationships.ts';
import { StatusCreated, StatusDeleted } from '../src/events/statuses.ts';
import type { RecordedOf } from '../src/kernel/event.ts';
import { HOME, on, type Handler, type Projection } from '../src/kernel/projection.ts';
import type { Db } from '../src/kernel/read.ts';
import * as sql from './home/statements.ts';

const beginFollow: Handler<RecordedOf<typeof AccountFollowed> | RecordedOf<typeof FollowRequestAuthorized>> =
  {
    keys: ({ data }) => [`author ${data.target_account_id}`],
    additive: true,
    apply: async (events, db) => {
      const follows = followColumns(events.map(({ data }) => data));
      await db.query(sql.FOLLOW, follows);
      await db.query(sql.FOLLOW_BACKFILL, follows.slice(0, 2));
    },
  };

/**
 * Home timelines. For readers of the last weeks each post is written on arrival into `home_entries`; above
 * `complete_after` these hold all posts of everybody the reader follows. What lies below, and everything for dormant
 * readers, is merged from `home_posts` when read. Rules that depend on the reader's settings (languages, replies, blocks)
 * apply when reading, so both ways give the same ids.
 */
export const home: Projection = {
  name: 'home',
  version: 2,
  group: HOME,
  tables: {
    home_follows: `
      account_id bigint,
      target_account_id bigint,
      reblogs boolean not null,
      languages text[],
      primary key (account_id, target_account_id)`,
    home_posts: `
      account_id bigint,
      status_id bigint,
      visibility text not null,
      primary key (account_id, status_id)`,
    home_readers: `
      account_id bigint primary key,
      active_on date not null,
      complete_after bigint not null`,
    home_entries: `
      account_id bigint,
      status_id bigint,
      primary key (account_id, status_id)`,
  },
  indexes: [
    'create index home_follows_target on home_follows (target_account_id)',
    'create index home_posts_status on home_posts (status_id)',
  ],
  handlers: [
    on(StatusCreated, {
      keys: ({ data }) => [`author ${data.account_id}`, `status ${data.id}`],
      additive: true,
      apply: (events, db) =>
        arrive(
          events.map(({ data }) => data),
          db,
        ),
    }),
    // A reblog is a post of its own here.
    on(StatusReblogged, {
      keys: ({ data }) => [`author ${data.account_id}`, `status ${data.id}`],
      additive: true,
      apply: (events, db) =>
        arrive(
          events.map(({ data }) => data),
          db,
        ),
    }),
    on(StatusUnreblogged, {
      keys: ({ data }) => [`author ${data.account_id}`, `status ${data.id}`],
      apply: async (events, db) => {
        await db.query(sql.DELETE, [events.map(({ data }) => data.id)]);
      },
    }),
    // The entries of a deleted post stay: reads join `statuses`, which knows that it is gone.
    on(StatusDeleted, {
      keys: ({ data }) => [`author ${data.account_id}`, `status ${data.id}`],
      apply: async (events, db) => {
        await db.query(sql.DELETE, [events.map(({ data }) => data.id)]);
      },
    }),
    on(AccountFollowed, beginFollow),
    on(FollowRequestAuthorized, beginFollow),
    on(FollowSettingsChanged, {
      keys: ({ data }) => [`author ${data.target_account_id}`],
      apply: async (events, db) => {
        await db.query(sql.SETTINGS, followColumns(events.map(({ data }) => data)));
      },
    }),
    on(AccountUnfollowed, {
      keys: ({ data }) => [`author ${data.target_account_id}`],
      apply: async (events, db) => {
        await db.query(sql.UNFOLLOW, [
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.target_account_id),
        ]);
      },
    }),
    // A barrier: what is written for a reader depends on whether he is there. Once a day per reader.
    on(UserActive, {
      apply: async ([event], db) => {
        if (!event) return;
        const { account_id, date } = event.data;
        const [before] = await db.query<{ active_on: string }>(sql.READER, [account_id]);
        await db.query(sql.TOUCH, [account_id, date]);
        if (before && daysBetween(before.active_on, date) < sql.DORMANT_DAYS) {
          await db.query(sql.TRIM, [account_id]);
        } else {
          await db.query(sql.FORGET, [account_id]);
          await db.query(sql.FILL, [account_id]);
        }
      },
    }),
  ],
};

/** What one author publishes at one time. */
interface Arrival {
  id: string;
  account_id: string;
  visibility: string;
  created_at: string;
}

async function arrive(posts: readonly Arrival[], db: Db): Promise<void> {
  const authors = posts.map(({ account_id }) => account_id);
  const ids = posts.map(({ id }) => id);
  const visibilities = posts.map(({ visibility }) => visibility);
  await Promise.all([
    db.query(sql.POSTS, [authors, ids, visibilities]),
    db.query(sql.FAN_OUT, [
      authors,
      ids,
      visibilities,
      posts.map(({ created_at }) => created_at.slice(0, 10)),
    ]),
  ]);
}

interface Follow {
  account_id: string;
  target_account_id: string;
  reblogs: boolean;
  languages: string[] | null;
}

const followColumns = (follows: readonly Follow[]): unknown[][] => [
  follows.map(({ account_id }) => account_id),
  follows.map(({ target_account_id }) => target_account_id),
  follows.map(({ reblogs }) => reblogs),
  follows.map(({ languages }) => languages && JSON.stringify(languages)),
];

const daysBetween = (earlier: string, later: string): number =>
  (Date.parse(later) - Date.parse(earlier)) / 86_400_000;
