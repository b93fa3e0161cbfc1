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
import {
  ReplyRequested,
  ReplyRequestEnded,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
} from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import {
  dataOf,
  deleteRowsOf,
  type Handler,
  HOME,
  on,
  onAccounts,
  type Projection,
} from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { tablesOf } from '#kernel/table/index.ts';
import { arrive, arriveDirectly, leave, requestsOf } from './arrivals.ts';
import { compared, lastState } from './last-state.ts';
import * as sql from './statements.ts';
import { AUTHORS, ENTRIES, FOLLOWS, POSTS, READERS } from './tables.ts';

const beginFollow: Handler<RecordedOf<typeof AccountFollowed> | RecordedOf<typeof FollowRequestAuthorized>> =
  {
    keys: ({ data }) => [`author ${data.target_account_id}`],
    additive: true,
    apply: async (events, db) => {
      const follows = sql.followColumns(events.map(({ data }) => data));
      await db.query(sql.FOLLOW, follows);
      await db.query(sql.FOLLOW_BACKFILL, follows.slice(0, 2));
    },
  };

/** Events of one author stay in order. */
const byAuthor = { keys: ({ data }: { data: { account_id: string } }) => [`author ${data.account_id}`] };

/**
 * Home timelines. For readers of the last weeks each post is fanned out on arrival, into `home_entries`; above
 * `complete_after` these hold all posts of everybody the reader follows, but for those that are not fanned out (`wide`). These, what is
 * below, and everything for dormant readers is read from `home_posts`, beginning with the authors that `home_authors` shows
 * to have written last. Rules that depend on the reader (languages, replies, blocks, lists, hashtags) apply when reading, so
 * both ways give the same ids.
 */
export const home: Projection = {
  name: 'home',
  version: 8,
  group: HOME,
  tables: tablesOf(FOLLOWS, POSTS, AUTHORS, READERS, ENTRIES),
  handlerIndexes: [
    // With both columns: otherwise the plan for "does A follow B" reads all followers of a popular author.
    'create index home_follows_target on home_follows (target_account_id, account_id)',
  ],
  indexes: [
    'create index home_posts_wide on home_posts (account_id, status_id desc) where wide',
    'create index home_authors_wide on home_authors (account_id) where wide_id is not null',
  ],
  handlers: [
    on(StatusCreated, { ...byAuthor, additive: true, apply: (events, db) => arrive(dataOf(events), db) }),
    on(StatusReblogged, { ...byAuthor, additive: true, apply: (events, db) => arrive(dataOf(events), db) }),
    on(ReplyRequested, { ...byAuthor, apply: (events, db) => arrive(requestsOf(events), db) }),
    on(ReblogRequested, { ...byAuthor, apply: (events, db) => arrive(requestsOf(events), db) }),
    on(ReplyRequestEnded, { ...byAuthor, apply: (events, db) => leave(dataOf(events), db) }),
    on(ReblogRequestEnded, { ...byAuthor, apply: (events, db) => leave(dataOf(events), db) }),
    // An edit may mention further accounts in a direct post.
    on(StatusEdited, { ...byAuthor, apply: (events, db) => arriveDirectly(dataOf(events), db) }),
    on(StatusDeleted, { ...byAuthor, apply: (events, db) => leave(dataOf(events), db) }),
    on(StatusUnreblogged, { ...byAuthor, apply: (events, db) => leave(dataOf(events), db) }),
    on(AccountFollowed, beginFollow),
    on(FollowRequestAuthorized, beginFollow),
    on(FollowSettingsChanged, {
      keys: ({ data }) => [`author ${data.target_account_id}`],
      apply: async (events, db) => {
        await db.query(sql.SETTINGS, sql.followColumns(events.map(({ data }) => data)));
      },
    }),
    on(AccountUnfollowed, {
      keys: ({ data }) => [`author ${data.target_account_id}`],
      apply: (events, db) => sql.unfollow(dataOf(events), db),
    }),
    // The fill finds posts that arrive before, and the fan-out brings those that arrive after, in whichever order the two run.
    on(UserActive, {
      keys: ({ data }) => [`reader ${data.account_id}`],
      apply: (events, db) => visit(dataOf(events), db),
    }),
    onAccounts(PersonalDataErased, ...[ENTRIES, READERS, POSTS, AUTHORS].map(deleteRowsOf)),
  ],
  lastState,
  compared,
};

async function visit(visits: readonly { account_id: string; date: string }[], db: Db): Promise<void> {
  const ids = visits.map(({ account_id }) => account_id);
  const rows = await db.query(sql.READER_ACTIVITY, [ids]);
  const before = new Map(rows.map(({ account_id, active_on }) => [account_id, active_on]));
  const isPresent = ({ account_id, date }: { account_id: string; date: string }): boolean => {
    const last = before.get(account_id);
    return last !== undefined && daysBetween(last, date) < DORMANT_DAYS;
  };
  const presentIds = new Set(visits.filter(isPresent).map(({ account_id }) => account_id));
  const present = [...presentIds];
  const returned = ids.filter((id) => !presentIds.has(id));
  await db.query(sql.TOUCH, [ids, visits.map(({ date }) => date)]);
  if (present.length > 0) await db.query(sql.TRIM, [present]);
  if (returned.length === 0) return;
  await db.query(sql.FORGET, [returned]);
  await db.query(sql.FILL, [returned]);
}

const daysBetween = (earlier: string, later: string): number =>
  (Date.parse(later) - Date.parse(earlier)) / 86_400_000;
