import { isDeepStrictEqual } from 'node:util';
import type { PollQuestion } from '#events/statuses.ts';
import { decidePoll, optionsOf, type PollInput } from './poll.ts';

/** The poll of a post before an edit. */
export interface PollBefore {
  poll: PollQuestion | null;
  /** Its end is recorded. */
  closed: boolean;
}

/**
 * Returns the poll of an edited post. Other options, or another number of choices, restart it without votes
 * (`newId`); clients know it by the same id. Otherwise it stays, and may end at another time; a closed one
 * stays closed. Pure. @throws RookeryError `invalid`
 */
export function decideEditedPoll(
  { poll, closed }: PollBefore,
  newId: string,
  input: PollInput,
  now: string,
): PollQuestion {
  if (!poll) return decidePoll(newId, input, now);
  if (!asksTheSame(poll, input)) return askedAnew(poll, decidePoll(newId, input, now));
  const over = closed || (poll.expires_at !== null && poll.expires_at <= now);
  const expires_at =
    over || input.expires_in == null ? poll.expires_at : decidePoll(poll.id, input, now).expires_at;
  return { ...poll, hide_totals: input.hide_totals === true, expires_at };
}

/** Returns the poll of an edit with another question, under the id that clients know. */
export const askedAnew = (before: PollQuestion, poll: PollQuestion): PollQuestion => ({
  ...poll,
  public_id: before.public_id ?? before.id,
});

const asksTheSame = (poll: PollQuestion, input: PollInput): boolean =>
  isDeepStrictEqual(optionsOf(input), poll.options) && (input.multiple === true) === poll.multiple;
