import type { CommandContext } from '#kernel/context.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import { addresseesAfter, mayBePushed, type PushCause } from '#queries/push/index.ts';
import { enqueuePush } from './enqueue.ts';

/** Subscriptions of one job: a slow service delays only these. */
const PER_JOB = 50;

/** Queues the pushes of an event. A repeat does no harm. */
export async function announcePush(
  ctx: CommandContext,
  cause: PushCause,
  signal: AbortSignal,
): Promise<void> {
  if (!(await mayBePushed(ctx.db, cause))) return;
  await ctx.waitForReadModels([MAIN, NOTIFICATIONS]);
  let after: string | undefined = '0';
  while (after !== undefined) {
    signal.throwIfAborted();
    const ids: string[] = await addresseesAfter(ctx.db, cause, after);
    await Promise.all(
      chunksOf(ids).map((chunk) => enqueuePush(ctx, { notificationId: cause.id, subscriptionIds: chunk })),
    );
    after = ids.at(-1);
  }
}

const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / PER_JOB) }, (_, index) =>
    ids.slice(index * PER_JOB, (index + 1) * PER_JOB),
  );
