import type { CommandContext } from '#kernel/context.ts';
import type { PushOutcome } from '#kernel/services/push.ts';
import { pushableTo } from '#queries/push/index.ts';
import { enqueuePush, type Push } from './enqueue.ts';
import { pushMessage } from './message.ts';

/** With the growing pauses about an hour, or as long as a service asks for. */
const MAX_PUT_OFF = 8;

/**
 * Sends one notification to some subscriptions, except those that have it, and records the results. For
 * unreachable services it is queued again for their next try, a bounded number of times.
 * @returns how many push services failed temporarily. On the `last` try these count as failed for good.
 */
export async function deliverPush(
  ctx: CommandContext,
  { notificationId, subscriptionIds, putOff = 0 }: Push,
  { signal, last }: { signal: AbortSignal; last: boolean },
): Promise<number> {
  const { pushSender, pushSubscriptions } = ctx.services;
  const pushables = await pushableTo(ctx.db, notificationId, subscriptionIds, ctx.instance);
  const outcomes = await Promise.all(
    pushables.map((pushable) =>
      pushSender.send(pushable.target, pushMessage(notificationId, pushable), signal),
    ),
  );
  const thatWere = (outcome: PushOutcome): string[] =>
    pushables.filter((_, index) => outcomes[index] === outcome).map(({ subscription_id }) => subscription_id);
  const failed = thatWere('failed');
  const away = pushables.filter((_, index) => outcomes[index] === 'away');
  const waits = away.length > 0 && putOff < MAX_PUT_OFF;
  if (waits) {
    const pauses = away.map(({ target }) => pushSender.pause(target.endpoint));
    const push = { notificationId, subscriptionIds: thatWere('away'), putOff: putOff + 1 };
    await enqueuePush(ctx, push, Math.ceil(Math.max(...pauses) / 1_000));
  }
  await pushSubscriptions.record(notificationId, {
    sent: thatWere('sent'),
    gone: thatWere('gone'),
    refused: thatWere('refused'),
    failed: [...(last ? failed : []), ...(waits ? [] : thatWere('away'))],
  });
  return failed.length;
}
