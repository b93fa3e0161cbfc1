import { activityStream, type UserActive } from '../../src/events/accounts.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import type { EventOf } from '../../src/kernel/event.ts';
import type { Id } from '../../src/kernel/ids.ts';

type Event = EventOf<typeof UserActive>;

/** The last day (UTC) on which a user was active. */
export const activity: Decider<string | null, Event> = {
  initialState: null,
  evolve: (_state, { data }) => data.date,
};

/** Records that a user is active today; once a day, however often it is called. */
export async function recordActivity(ctx: CommandContext, accountId: Id): Promise<void> {
  const date = ctx.now.slice(0, 10);
  await ctx.execute(activityStream(accountId), activity, (last) => decideActive(last, accountId, date));
}

/** Decides nothing unless the day is after the last one. Pure. */
export function decideActive(last: string | null, accountId: Id, date: string): Event[] {
  if (last !== null && last >= date) return [];
  return [{ type: 'UserActive', data: { account_id: accountId, date } }];
}
