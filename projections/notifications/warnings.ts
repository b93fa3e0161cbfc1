import { AccountWarned } from '#events/moderation.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { notice } from './notices.ts';

/** Messages of staff to users about their accounts. The staff member stays anonymous. */
export const warningHandlers: readonly BoundHandler[] = [
  on(AccountWarned, {
    keys: ({ data }) => [data.account_id, data.id],
    additive: true,
    apply: (events, db) =>
      notice(
        'moderation_warning',
        events.filter(({ data }) => data.notified),
        db,
      ),
  }),
];
