import {
  AccountFollowed,
  AccountUnfollowed,
  FollowRequestAuthorized,
  FollowRequested,
  FollowRequestRejected,
  FollowRequestWithdrawn,
  FollowSettingsChanged,
} from '#events/relationships.ts';
import type { EventMetadata } from '#kernel/event.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';
import { arrive, followKey, keysOfVerdict, subscribersKey } from './arrivals.ts';
import { placeInGroups } from './spans.ts';

interface Pair {
  account_id: string;
  target_account_id: string;
}
interface Follow extends Pair {
  notify: boolean;
  languages: string[] | null;
}

/** Languages come as JSON texts, because Postgres has no arrays of arrays of different lengths. */
const FOLLOWS = `unnest($1::bigint[], $2::bigint[], $3::bool[], $4::text[], $5::bigint[])
     as n (account_id, target_account_id, notify, languages, position)`;
const LANGUAGES = `case when n.languages is null then null
     else array(select json_array_elements_text(n.languages::json)) end`;
const PAIRS = 'unnest($1::bigint[], $2::bigint[]) as n (account_id, target_account_id)';

const FOLLOW = statement(
  'notification_follows_insert',
  `insert into notification_follows (account_id, target_account_id, notify, languages, position)
   select n.account_id, n.target_account_id, n.notify, ${LANGUAGES}, n.position from ${FOLLOWS}`,
);
const SETTINGS = statement(
  'notification_follows_settings',
  `update notification_follows f set notify = n.notify, languages = ${LANGUAGES} from ${FOLLOWS}
   where f.account_id = n.account_id and f.target_account_id = n.target_account_id`,
);
const UNFOLLOW = statement(
  'notification_follows_delete',
  `delete from notification_follows f using ${PAIRS}
   where f.account_id = n.account_id and f.target_account_id = n.target_account_id`,
);
/** Removes notifications about follows and requests from one account to the other. */
const FORGET = statement(
  'notifications_forget_follows',
  `delete from notifications t using ${PAIRS}
   where t.account_id = n.target_account_id and t.from_account_id = n.account_id and t.type = $3`,
);
/** A request and the follow that it becomes have the same id. */
const REQUEST_BECOMES_FOLLOW = statement(
  'notifications_request_becomes_follow',
  `update notifications t set type = 'follow' from unnest($1::bigint[], $2::bigint[]) as n (account_id, id)
   where t.account_id = n.account_id and t.id = n.id and t.type = 'follow_request'
   returning t.account_id, t.id`,
);

const keys = ({ data }: { data: Pair }): string[] => [data.account_id, data.target_account_id];
const withId = ({ data }: { data: Pair & { id: string } }): string[] => [data.id, ...keys({ data })];
const arrives = {
  keys: ({ data }: { data: { id: string } }) => [data.id],
  reads: ({ data }: { data: Pair }) => keysOfVerdict(data.target_account_id, data.account_id),
};

/** Follows and follow requests, and the notifications about them. */
export const followHandlers: readonly BoundHandler[] = [
  on(AccountFollowed, {
    ...arrives,
    keys: ({ data }) => [
      data.id,
      followKey(data.account_id, data.target_account_id),
      ...(data.notify ? [subscribersKey(data.target_account_id)] : []),
    ],
    additive: true,
    apply: async (events, db) => {
      await Promise.all([db.query(FOLLOW, followColumns(events)), notify('follow', events, db)]);
    },
  }),
  on(FollowSettingsChanged, {
    keys,
    apply: async (events, db) => {
      await db.query(SETTINGS, followColumns(events));
    },
  }),
  on(AccountUnfollowed, {
    keys,
    apply: async (events, db) => {
      const pairs = pairColumns(events.map(({ data }) => data));
      await Promise.all([db.query(UNFOLLOW, pairs), db.query(FORGET, [...pairs, 'follow'])]);
    },
  }),
  on(FollowRequested, {
    ...arrives,
    additive: true,
    apply: (events, db) => notify('follow_request', events, db),
  }),
  on(FollowRequestAuthorized, {
    keys: withId,
    apply: async (events, db) => {
      const followed = followColumns(events);
      const [become] = await Promise.all([
        db.query<{ account_id: string; id: string }>(REQUEST_BECOMES_FOLLOW, [
          events.map(({ data }) => data.target_account_id),
          events.map(({ data }) => data.id),
        ]),
        db.query(FOLLOW, followed),
      ]);
      const follows = events
        .filter(({ data }) => become.some(({ id }) => id === data.id))
        .map(({ data }) => ({
          account_id: data.target_account_id,
          id: data.id,
          type: 'follow',
          status_id: '0',
        }));
      await placeInGroups(follows, db);
    },
  }),
  on(FollowRequestWithdrawn, { keys, apply: forgetRequests }),
  on(FollowRequestRejected, { keys, apply: forgetRequests }),
];

interface FollowNotice {
  data: Pair & { id: string };
  metadata: EventMetadata;
  position: bigint;
}

const notify = (type: NotificationType, events: readonly FollowNotice[], db: Db): Promise<void> =>
  arrive(
    events.map(({ data, metadata, position }) => ({
      account_id: data.target_account_id,
      id: data.id,
      type,
      from_account_id: data.account_id,
      status_id: null,
      created_at: metadata.time,
      private_thread: null,
      position,
    })),
    db,
  );

async function forgetRequests(events: readonly { data: Pair }[], db: Db): Promise<void> {
  await db.query(FORGET, [...pairColumns(events.map(({ data }) => data)), 'follow_request']);
}

const pairColumns = (pairs: readonly Pair[]): unknown[][] => [
  pairs.map(({ account_id }) => account_id),
  pairs.map(({ target_account_id }) => target_account_id),
];
const followColumns = (events: readonly { data: Follow; position: bigint }[]): unknown[][] => [
  ...pairColumns(events.map(({ data }) => data)),
  events.map(({ data }) => data.notify),
  events.map(({ data }) => data.languages && JSON.stringify(data.languages)),
  events.map(({ position }) => position.toString()),
];
