import { AccountWarned } from '../../src/events/moderation.ts';
import { on, type BoundHandler } from '../../src/kernel/projection.ts';
import { statement } from '../../src/kernel/read.ts';

/** Nobody learns who of the staff it was: a warning comes from the account itself, as in Mastodon. */
const WARN = statement(
  'notifications_warning',
  `insert into notifications (account_id, id, type, from_account_id, status_id, created_at, filtered)
   select n.account_id, n.id, 'moderation_warning', n.account_id, 0, n.created_at, false
   from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) as n (account_id, id, created_at)
   join notification_people p on p.account_id = n.account_id and p.local`,
);

/** What the staff tell people about their accounts. */
export const warningHandlers: readonly BoundHandler[] = [
  on(AccountWarned, {
    keys: ({ data }) => [data.account_id, data.id],
    additive: true,
    apply: async (events, db) => {
      const told = events.filter(({ data }) => data.notified);
      if (told.length === 0) return;
      await db.query(WARN, [
        told.map(({ data }) => data.account_id),
        told.map(({ data }) => data.id),
        told.map(({ metadata }) => metadata.time),
      ]);
    },
  }),
];
