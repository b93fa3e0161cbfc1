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
import { type BoundHandler, columns, dataOf, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { NotificationType } from '#mastodon/notification-types.ts';
import { arrive, followKey, keysOfVerdict, subscribersKey } from './arrivals.ts';
import { placeInGroups } from './spans.ts';
import { FOLLOWS } from './tables.ts';

interface Pair {
  account_id: string;
  target_account_id: string;
}
interface Follow extends Pair {
  notify: boolean;
  languages: string[] | null;
}

const PAIRS = 'unnest($1::bigint[], $2::bigint[]) as n (account_id, target_account_id)';

const FOLLOW = FOLLOWS.insert();
/** Removes notifications about follows and requests from one account to the other. */
const FORGET = statement(
  'notifications_forget_follows',
  `delete from notifications t using ${PAIRS}
   where t.account_id = n.target_account_id and t.from_account_id = n.account_id and t.type = $3`,
);
/** A request and the follow that it becomes have the same id. */
const REQUEST_BECOMES_FOLLOW = statement<{ account_id: string; id: string }>(
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
      const rows = events.map(rowOf);
      await Promise.all([FOLLOW(rows, db), notify('follow', events, db)]);
    },
  }),
  on(FollowSettingsChanged, { keys, apply: FOLLOWS.set('notify', 'languages').each(({ data }) => data) }),
  on(AccountUnfollowed, {
    keys,
    apply: async (events, db) => {
      const pairs = columns(events, 'account_id', 'target_account_id');
      await Promise.all([FOLLOWS.remove().from(dataOf(events), db), db.query(FORGET, [...pairs, 'follow'])]);
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
      const followed = events.map(rowOf);
      const [become] = await Promise.all([
        db.query(REQUEST_BECOMES_FOLLOW, [
          events.map(({ data }) => data.target_account_id),
          events.map(({ data }) => data.id),
        ]),
        FOLLOW(followed, db),
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
  await db.query(FORGET, [...columns(events, 'account_id', 'target_account_id'), 'follow_request']);
}

const rowOf = ({ data, position }: { data: Follow; position: bigint }): Follow & { position: bigint } => ({
  ...data,
  position,
});
