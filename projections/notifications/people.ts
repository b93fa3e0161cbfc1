import { AccountCreated, UserRegistered, type UserRole, UserRoleChanged } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { UserRejected } from '#events/moderation.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type BoundHandler, deleteRowsOf, on, onAccounts } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { rankOf } from '#mastodon/permissions.ts';
import { policyDomainRules, policyPeopleHandlers } from '../notification-policy/people.ts';
import { type Groupable, placeInGroups } from './spans.ts';
import { NOTIFICATIONS, PEOPLE, PERMISSIONS, REQUESTS, SPANS } from './tables.ts';

const CREATE = PEOPLE.insert();
const SET_STAFF = PEOPLE.set('staff', 'rank');
const rankIn = ({ account_id, role }: { account_id: string; role: UserRole | null }) => ({
  account_id,
  staff: rankOf(role) > 0,
  rank: rankOf(role),
});
const TELL_STAFF = statement<Groupable>(
  'notifications_sign_up',
  `insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
   select p.account_id, n.account_id, 'admin.sign_up', n.account_id, 0, n.created_at, false
   from unnest($1::bigint[], $2::timestamptz[]) as n (account_id, created_at)
   join notification_people p on p.staff and p.account_id <> n.account_id
   returning account_id, id, type, status_id`,
);
/** Only staff were notified of a sign-up. */
const FORGET = statement(
  'notification_people_delete',
  `with people as (delete from notification_people where account_id = any($1))
   delete from notifications n using notification_people p
   where p.staff and n.account_id = p.account_id and n.id = any($1)`,
);

export const notificationDomainRules = policyDomainRules('notification');

/** The key of staff membership, which decides about notifications of new users. */
export const STAFF = 'staff';

/** Accounts, the staff among them, and their notification policies. */
export const peopleHandlers: readonly BoundHandler[] = [
  on(AccountCreated, {
    keys: ({ data }) => [data.id],
    apply: async (events, db) => {
      await CREATE.from(
        events.map(({ data }) => ({ ...data, account_id: data.id, local: data.domain === null })),
        db,
      );
      const remote = events.filter(({ data }) => data.domain !== null);
      await notificationDomainRules.apply(
        remote.map(({ data }) => data.id),
        db,
      );
    },
  }),
  ...policyPeopleHandlers('notification', (id) => [id]),
  on(UserRegistered, {
    keys: ({ data }) => [data.account_id, STAFF],
    additive: true,
    apply: async (events, db) => {
      for (const segment of endingWithStaff(events)) {
        const told = await db.query(TELL_STAFF, [
          segment.map(({ data }) => data.account_id),
          segment.map(({ metadata }) => metadata.time),
        ]);
        const place = new Map(segment.map(({ data }, index) => [data.account_id, index]));
        await placeInGroups(
          told.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0)),
          db,
        );
        const last = segment.at(-1);
        if (last && last.data.role !== null) await SET_STAFF([rankIn(last.data)], db);
      }
    },
  }),
  on(UserRoleChanged, {
    keys: ({ data }) => [data.account_id, STAFF],
    apply: SET_STAFF.each(({ data }) => rankIn(data)),
  }),
  on(UserRejected, {
    keys: ({ data }) => [data.account_id, STAFF],
    additive: true,
    apply: async (events, db) => {
      await db.query(FORGET, [events.map(({ data }) => data.account_id)]);
    },
  }),
  // Notifications that the account caused were removed with their objects.
  onAccounts(PersonalDataErased, FORGET, ...[NOTIFICATIONS, SPANS, REQUESTS, PERMISSIONS].map(deleteRowsOf)),
];

/** Cuts batches after each new staff member, who is notified of later users. */
function endingWithStaff(events: readonly RecordedOf<typeof UserRegistered>[]) {
  const segments: RecordedOf<typeof UserRegistered>[][] = [[]];
  for (const event of events) {
    segments.at(-1)?.push(event);
    if (event.data.role !== null) segments.push([]);
  }
  return segments.filter(({ length }) => length > 0);
}
