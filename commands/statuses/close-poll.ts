import { type StatusEvent, statusStream } from '#events/statuses.ts';
import { useCase } from '../use-case.ts';
import { type Status, status } from './status.ts';

/** Records the end of a poll, once, which notifies its voters. */
export const closePoll = useCase({
  prepare: (ctx, { statusId, pollId }: { statusId: string; pollId: string }) => ({
    statusId,
    pollId,
    closeId: ctx.newId(),
    now: ctx.now,
  }),
  stream: ({ statusId }) => statusStream(statusId),
  decider: status,
  decide: decideClosePoll,
});

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
