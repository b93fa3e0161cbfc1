import { type ServerKeyReplacedEvent, serverKeyStream } from '#events/audit.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';

/** Stream `server-key-<rotation>`: whether it is recorded. */
export const keyReplacement: Decider<boolean, ServerKeyReplacedEvent> = {
  initialState: false,
  evolve: () => true,
};

/** Decides the event once, because a replacement that was interrupted continues. Pure. */
export const decideKeyReplacement = (
  isRecorded: boolean,
  data: ServerKeyReplacedEvent['data'],
): ServerKeyReplacedEvent[] => (isRecorded ? [] : [{ type: 'ServerKeyReplaced', data }]);

/** Records for auditors that the operator replaced a key of the server. */
export async function recordKeyReplacement(
  ctx: CommandContext,
  data: ServerKeyReplacedEvent['data'],
): Promise<void> {
  await ctx.execute(serverKeyStream(data.rotation_id), keyReplacement, (isRecorded) =>
    decideKeyReplacement(isRecorded, data),
  );
}
