import { type PastViewedEvent, pastViewStream } from '#events/audit.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';

/** Stream `audit-view-<account>-as-of-<position>`: whether the view is recorded. */
export const pastView: Decider<boolean, PastViewedEvent> = { initialState: false, evolve: () => true };

/** Records for auditors that staff look at the past as an account saw it; once for each position. */
export async function recordPastView(ctx: CommandContext, data: PastViewedEvent['data']): Promise<void> {
  await ctx.execute(
    pastViewStream(data.account_id, data.position),
    pastView,
    (isRecorded): PastViewedEvent[] => (isRecorded ? [] : [{ type: 'PastViewed', data }]),
  );
}
