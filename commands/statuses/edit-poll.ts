import { isDeepStrictEqual } from 'node:util';
import type { PollQuestion } from '../../src/events/statuses.ts';
import { decidePoll, optionsOf, type PollInput } from './poll.ts';

/** The poll that a post has before it is edited. */
export interface PollBefore {
  poll: PollQuestion | null;
  /** It was noted that it is over. */
  closed: boolean;
}

/**
 * The poll of an edited post. Other options, or another number of choices, make it another poll (`newId`) without votes.
 * Else it stays, and may end at another time; one that is over stays over. Pure. @throws RookeryError `invalid`
 */
export function decideEditedPoll(
  { poll, closed }: PollBefore,
  newId: string,
  input: PollInput,
  now: string,
): PollQuestion {
  if (!poll || !asksTheSame(poll, input)) return decidePoll(newId, input, now);
  const over = closed || (poll.expires_at !== null && poll.expires_at <= now);
  const expires_at =
    over || input.expires_in == null ? poll.expires_at : decidePoll(poll.id, input, now).expires_at;
  return { ...poll, hide_totals: input.hide_totals === true, expires_at };
}

const asksTheSame = (poll: PollQuestion, input: PollInput): boolean =>
  isDeepStrictEqual(optionsOf(input), poll.options) && (input.multiple === true) === poll.multiple;
