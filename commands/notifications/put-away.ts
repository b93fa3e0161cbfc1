import type { NotificationsPutAway } from '#events/notifications.ts';
import type { UserContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';

/** Streams of one event: whether it has happened. */
export const putAway: Decider<boolean, NotificationsPutAway> = { initialState: false, evolve: () => true };

/** Decides nothing the second time. Pure. */
export const decideOnce = (done: boolean, event: NotificationsPutAway): NotificationsPutAway[] =>
  done ? [] : [event];

/** Appends an event to its own stream. */
export async function appendOnce(
  ctx: UserContext,
  stream: string,
  event: NotificationsPutAway,
): Promise<void> {
  await ctx.execute(stream, putAway, (done) => decideOnce(done, event));
}
