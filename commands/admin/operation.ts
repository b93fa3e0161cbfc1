import type { OperationEvent } from '#events/operation.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';

/** These acts depend on no earlier ones. */
const acts: Decider<null, OperationEvent> = { initialState: null, evolve: () => null };

/** Records what staff or the operator do about the work of this server, before it is done. */
export async function noted(ctx: CommandContext, stream: string, event: OperationEvent): Promise<void> {
  await ctx.execute(stream, acts, () => [event]);
}
