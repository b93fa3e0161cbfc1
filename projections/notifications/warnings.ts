import { AccountWarned } from '../../src/events/moderation.ts';
import { on, type BoundHandler } from '../../src/kernel/projection.ts';
import { notice } from './notices.ts';

/** What the staff tell people about their accounts. Nobody learns who of the staff it was. */
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
