import { pushableTo } from '../../queries/push/index.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { PushOutcome } from '../../src/kernel/services/push.ts';
import { pushMessage } from './message.ts';

/**
 * Sends one notification to some subscriptions, without those that have it already, and remembers what became of it.
 *
 * @returns how many push services could not take it, and may later. On the `last` try these count as failed for good.
 */
export async function deliverPush(
  ctx: CommandContext,
  { notificationId, subscriptionIds }: { notificationId: string; subscriptionIds: readonly string[] },
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
  await pushSubscriptions.record(notificationId, {
    sent: thatWere('sent'),
    gone: thatWere('gone'),
    refused: thatWere('refused'),
    failed: last ? failed : [],
  });
  return failed.length;
}
