import { damagedEventStream, type EventDamageFoundEvent } from '#events/audit.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';

/** Stream `damaged-event-<position>`: the causes that are recorded. */
export const damageRecord: Decider<readonly string[], EventDamageFoundEvent> = {
  initialState: [],
  evolve: (causes, { data }) => [...causes, data.cause],
};

/** Decides each cause once: a verification may find another cause than the first reader did. Pure. */
export const decideDamage = (
  causes: readonly string[],
  data: EventDamageFoundEvent['data'],
): EventDamageFoundEvent[] => (causes.includes(data.cause) ? [] : [{ type: 'EventDamageFound', data }]);

/** Records for auditors that the personal fields of an event cannot be decrypted. */
export async function recordDamage(ctx: CommandContext, data: EventDamageFoundEvent['data']): Promise<void> {
  await ctx.execute(damagedEventStream(data.position), damageRecord, (causes) => decideDamage(causes, data));
  await ctx.services.damagedEvents.reported(data.position, data.cause);
}
