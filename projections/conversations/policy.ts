import { AccountCreated, UserRegistered, UserRoleChanged } from '#events/accounts.ts';
import { NotificationRequestAccepted, NotificationRequestDismissed } from '#events/notifications.ts';
import { AccountFollowed, AccountUnfollowed, FollowRequestAuthorized } from '#events/relationships.ts';
import { type BoundHandler, columns, dataOf, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { rankOf } from '#mastodon/permissions.ts';
import { policyDomainRules, policyPeopleHandlers } from '../notification-policy/people.ts';
import { releaseMessages } from './messages.ts';
import { FOLLOWS, PEOPLE, PERMISSIONS } from './tables.ts';

const CREATE = PEOPLE.insert();
const SET_RANK = PEOPLE.set('rank');
const FOLLOW = FOLLOWS.insert();
const PERMIT = PERMISSIONS.add();
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

const ofAccount = ({ data }: { data: { account_id: string } }): string[] => readers(data.account_id);

/** The policies of participants, and the facts of a verdict. Answers to requests release messages, or not. */
export const policyHandlers: readonly BoundHandler[] = [
  on(AccountCreated, {
    keys: ({ data }) => readers(data.id),
    apply: async (events, db) => {
      await CREATE.from(
        events.map(({ data }) => ({ ...data, account_id: data.id })),
        db,
      );
      const remote = events.filter(({ data }) => data.domain !== null);
      await rules.apply(
        remote.map(({ data }) => data.id),
        db,
      );
    },
  }),
  on(UserRegistered, {
    keys: ofAccount,
    apply: SET_RANK.each(({ data: { account_id, role } }) => ({ account_id, rank: rankOf(role) })),
  }),
  on(UserRoleChanged, {
    keys: ofAccount,
    apply: SET_RANK.each(({ data: { account_id, role } }) => ({ account_id, rank: rankOf(role) })),
  }),
  ...rules.handlers,
  ...policyPeopleHandlers('conversation', readers),
  on(AccountFollowed, {
    keys: bothSides,
    additive: true,
    apply: FOLLOW.each(({ data, position }) => ({ ...data, position })),
  }),
  on(FollowRequestAuthorized, {
    keys: bothSides,
    additive: true,
    apply: FOLLOW.each(({ data, position }) => ({ ...data, position })),
  }),
  on(AccountUnfollowed, { keys: bothSides, apply: FOLLOWS.remove().each(({ data }) => data) }),
  on(NotificationRequestAccepted, {
    keys: ofPair,
    apply: async (events, db) => {
      await PERMIT.from(dataOf(events), db);
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
