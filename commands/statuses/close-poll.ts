import { statusStream, type StatusEvent } from '../../src/events/statuses.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { status, type Status } from './status.ts';

/** Records the end of a poll, once, which notifies its voters. */
export async function closePoll(ctx: CommandContext, statusId: string, pollId: string): Promise<void> {
  const command = { pollId, closeId: ctx.newId(), now: ctx.now };
  await ctx.execute(statusStream(statusId), status, (state) => decideClosePoll(state, command));
}

/** Ignores a poll that was replaced, prolonged or deleted. Pure. */
export function decideClosePoll(
  state: Status,
  { pollId, closeId, now }: { pollId: string; closeId: string; now: string },
): StatusEvent[] {
  if (state.state !== 'visible' || state.pollClosed) return [];
  const { id, account_id, poll } = state.data;
  if (poll?.id !== pollId || poll.expires_at === null || poll.expires_at > now) return [];
  return [
    {
      type: 'PollClosed',
      data: { id, account_id, poll_id: pollId, close_id: closeId, closed_at: poll.expires_at },
    },
  ];
}
