import { AccountCreated, UserRegistered, UserRoleChanged } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { UserRejected } from '#events/moderation.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type BoundHandler, deleteRowsOf, on, onAccounts } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { rankOf } from '#mastodon/permissions.ts';
import { policyDomainRules, policyPeopleHandlers } from '../notification-policy/people.ts';
import { type Groupable, placeInGroups } from './spans.ts';

const CREATE = statement(
  'notification_people_insert',
  `insert into notification_people (account_id, local, domain, created_at, bot)
   select n.account_id, n.domain is null, n.domain, n.created_at, n.bot
   from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::bool[]) as n (account_id, domain, created_at, bot)`,
);
const SET_STAFF = statement(
  'notification_people_staff',
  `update notification_people p set staff = n.rank > 0, rank = n.rank
   from unnest($1::bigint[], $2::smallint[]) as n (account_id, rank) where p.account_id = n.account_id`,
);
const TELL_STAFF = statement(
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
      await db.query(CREATE, [
        events.map(({ data }) => data.id),
        events.map(({ data }) => data.domain),
        events.map(({ data }) => data.created_at),
        events.map(({ data }) => data.bot),
      ]);
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
        const told = await db.query<Groupable>(TELL_STAFF, [
          segment.map(({ data }) => data.account_id),
          segment.map(({ metadata }) => metadata.time),
        ]);
        const place = new Map(segment.map(({ data }, index) => [data.account_id, index]));
        await placeInGroups(
          told.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0)),
          db,
        );
        const last = segment.at(-1);
        if (last && last.data.role !== null)
          await db.query(SET_STAFF, [[last.data.account_id], [rankOf(last.data.role)]]);
      }
    },
  }),
  on(UserRoleChanged, {
    keys: ({ data }) => [data.account_id, STAFF],
    apply: async (events, db) => {
      await db.query(SET_STAFF, [
        events.map(({ data }) => data.account_id),
        events.map(({ data }) => rankOf(data.role)),
      ]);
    },
  }),
  on(UserRejected, {
    keys: ({ data }) => [data.account_id, STAFF],
    additive: true,
    apply: async (events, db) => {
      await db.query(FORGET, [events.map(({ data }) => data.account_id)]);
    },
  }),
  // Notifications that the account caused were removed with their objects.
  onAccounts(
    PersonalDataErased,
    FORGET,
    ...['notifications', 'notification_spans', 'notification_requests', 'notification_permissions'].map(
      (table) => deleteRowsOf(table),
    ),
  ),
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
