import { AccountCreated, AccountUpdated } from '../../src/events/accounts.ts';
import { AccountSilenced, AccountUnsilenced } from '../../src/events/moderation.ts';
import {
  notificationPolicy,
  NotificationPolicyChanged,
  NotificationRequestAccepted,
  NotificationRequestDismissed,
} from '../../src/events/notifications.ts';
import {
  AccountFollowed,
  AccountUnfollowed,
  FollowRequestAuthorized,
} from '../../src/events/relationships.ts';
import { columns, on, type BoundHandler } from '../../src/kernel/projection.ts';
import { statement, type Db } from '../../src/kernel/read.ts';
import { VERDICTS } from '../notification-policy/verdict.ts';
import { releaseMessages } from './messages.ts';

const CREATE = statement(
  'conversation_people_insert',
  `insert into conversation_people (account_id, created_at, bot)
   select * from unnest($1::bigint[], $2::timestamptz[], $3::bool[])`,
);
const SET_BOT = statement(
  'conversation_people_bot',
  `update conversation_people p set bot = n.bot
   from unnest($1::bigint[], $2::bool[]) as n (account_id, bot) where p.account_id = n.account_id`,
);
const SET_LIMITED = statement(
  'conversation_people_limited',
  'update conversation_people set limited = $2 where account_id = any($1::bigint[])',
);
const RULES = Object.keys(notificationPolicy.shape) as (keyof typeof notificationPolicy.shape)[];
const SET_POLICY = statement(
  'conversation_people_policy',
  `update conversation_people p set ${RULES.map((rule) => `${rule} = coalesce(n.${rule}, p.${rule})`).join(', ')}
   from unnest($1::bigint[], ${RULES.map((_, index) => `$${index + 2}::smallint[]`).join(', ')})
     as n (account_id, ${RULES.join(', ')}) where p.account_id = n.account_id`,
);
const FOLLOW = statement(
  'conversation_follows_insert',
  `insert into conversation_follows (account_id, target_account_id, position)
   select * from unnest($1::bigint[], $2::bigint[], $3::bigint[])`,
);
const UNFOLLOW = statement(
  'conversation_follows_delete',
  `delete from conversation_follows f using unnest($1::bigint[], $2::bigint[]) as n (account_id, target_account_id)
   where f.account_id = n.account_id and f.target_account_id = n.target_account_id`,
);
const PERMIT = statement(
  'conversation_permissions_insert',
  `insert into conversation_permissions (account_id, from_account_id)
   select * from unnest($1::bigint[], $2::bigint[]) on conflict do nothing`,
);
const FORGET_WITHHELD = statement(
  'conversation_withheld_forget',
  `delete from conversation_withheld w using unnest($1::bigint[], $2::bigint[]) as n (account_id, from_account_id)
   where w.account_id = n.account_id and w.author_id = n.from_account_id and not w.dropped`,
);

const readers = (...ids: readonly string[]): string[] => ids.map((id) => `reader ${id}`);
const bothSides = ({ data }: { data: { account_id: string; target_account_id: string } }): string[] =>
  readers(data.account_id, data.target_account_id);
const ofPair = ({ data }: { data: { account_id: string; from_account_id: string } }): string[] =>
  readers(data.account_id, data.from_account_id);

const follow = {
  keys: bothSides,
  additive: true,
  apply: async (
    events: readonly { data: { account_id: string; target_account_id: string }; position: bigint }[],
    db: Db,
  ): Promise<void> => {
    await db.query(FOLLOW, [
      ...columns(events, 'account_id', 'target_account_id'),
      events.map(({ position }) => position.toString()),
    ]);
  },
};
const setLimited =
  (limited: boolean) =>
  async (events: readonly { data: { account_id: string } }[], db: Db): Promise<void> => {
    await db.query(SET_LIMITED, [...columns(events, 'account_id'), limited]);
  };

/** What the policies of readers say, and what a verdict depends on. Answers to requests let messages in, or not. */
export const policyHandlers: readonly BoundHandler[] = [
  on(AccountCreated, {
    keys: ({ data }) => readers(data.id),
    apply: async (events, db) => {
      await db.query(CREATE, columns(events, 'id', 'created_at', 'bot'));
    },
  }),
  on(AccountUpdated, {
    keys: ({ data }) => readers(data.id),
    apply: async (events, db) => {
      const told = events.filter(({ data }) => data.bot !== undefined);
      if (told.length > 0) await db.query(SET_BOT, columns(told, 'id', 'bot'));
    },
  }),
  on(AccountSilenced, { keys: ({ data }) => readers(data.account_id), apply: setLimited(true) }),
  on(AccountUnsilenced, { keys: ({ data }) => readers(data.account_id), apply: setLimited(false) }),
  on(NotificationPolicyChanged, {
    keys: ({ data }) => readers(data.account_id),
    apply: async (events, db) => {
      await db.query(SET_POLICY, [
        ...columns(events, 'account_id'),
        ...RULES.map((rule) => events.map(({ data }) => (data[rule] ? VERDICTS[data[rule]] : null))),
      ]);
    },
  }),
  on(AccountFollowed, follow),
  on(FollowRequestAuthorized, follow),
  on(AccountUnfollowed, {
    keys: bothSides,
    apply: async (events, db) => {
      await db.query(UNFOLLOW, columns(events, 'account_id', 'target_account_id'));
    },
  }),
  on(NotificationRequestAccepted, {
    keys: ofPair,
    apply: async (events, db) => {
      await db.query(PERMIT, columns(events, 'account_id', 'from_account_id'));
      await releaseMessages(events, db);
    },
  }),
  on(NotificationRequestDismissed, {
    keys: ofPair,
    apply: async (events, db) => {
      await db.query(FORGET_WITHHELD, columns(events, 'account_id', 'from_account_id'));
    },
  }),
];
