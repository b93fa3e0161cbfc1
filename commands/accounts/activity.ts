import { activityStream, type UserActive } from '#events/accounts.ts';
import type { Decider } from '#kernel/decider.ts';
import type { EventOf } from '#kernel/event.ts';
import type { Id } from '#kernel/ids.ts';
import { useCase } from '../use-case.ts';

type Event = EventOf<typeof UserActive>;

/** The last day (UTC) on which a user was active. */
export const activity: Decider<string | null, Event> = {
  initialState: null,
  evolve: (_state, { data }) => data.date,
};

/** Records that a user is active today; once a day, however often it is called. */
export const recordActivity = useCase({
  prepare: ({ now }, accountId: Id) => ({ accountId, date: now.slice(0, 10) }),
  stream: ({ accountId }) => activityStream(accountId),
  decider: activity,
  decide: (last, { accountId, date }) => decideActive(last, accountId, date),
});

/** Decides nothing unless the day is after the last one. Pure. */
export function decideActive(last: string | null, accountId: Id, date: string): Event[] {
  if (last !== null && last >= date) return [];
  return [{ type: 'UserActive', data: { account_id: accountId, date } }];
}
