import { AccountCreated, UserRegistered, UserRoleChanged } from '#events/accounts.ts';
import { NotificationRequestAccepted, NotificationRequestDismissed } from '#events/notifications.ts';
import { AccountFollowed, AccountUnfollowed, FollowRequestAuthorized } from '#events/relationships.ts';
import { type BoundHandler, columns, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { rankOf } from '#mastodon/permissions.ts';
import { policyDomainRules, policyPeopleHandlers } from '../notification-policy/people.ts';
import { releaseMessages } from './messages.ts';

const CREATE = statement(
  'conversation_people_insert',
  `insert into conversation_people (account_id, domain, created_at, bot)
   select * from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::bool[])`,
);
const SET_RANK = statement(
  'conversation_people_rank',
  `update conversation_people p set rank = n.rank
   from unnest($1::bigint[], $2::smallint[]) as n (account_id, rank) where p.account_id = n.account_id`,
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

const rules = policyDomainRules('conversation');

const setRank = {
  keys: ({ data }: { data: { account_id: string } }) => readers(data.account_id),
  apply: async (
    events: readonly { data: { account_id: string; role: string | null } }[],
    db: Db,
  ): Promise<void> => {
    await db.query(SET_RANK, [...columns(events, 'account_id'), events.map(({ data }) => rankOf(data.role))]);
  },
};

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
/** The policies of participants, and the facts of a verdict. Answers to requests release messages, or not. */
export const policyHandlers: readonly BoundHandler[] = [
  on(AccountCreated, {
    keys: ({ data }) => readers(data.id),
    apply: async (events, db) => {
      await db.query(CREATE, columns(events, 'id', 'domain', 'created_at', 'bot'));
      const remote = events.filter(({ data }) => data.domain !== null);
      await rules.apply(
        remote.map(({ data }) => data.id),
        db,
      );
    },
  }),
  on(UserRegistered, setRank),
  on(UserRoleChanged, setRank),
  ...rules.handlers,
  ...policyPeopleHandlers('conversation', readers),
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
