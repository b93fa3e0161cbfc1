import { z } from 'zod';
import type { PollQuestion } from '#events/statuses.ts';
import { invalid } from '#kernel/errors.ts';
import { formBoolean, formInteger, formStringArray } from '#kernel/input.ts';
import { timeAfter } from '#kernel/time.ts';
import { POLL_LIMITS } from '#mastodon/limits.ts';
import { countGraphemes } from '../text/count.ts';

export const pollInput = z.object({
  options: formStringArray(100, 1_000)
    .default([])
    .describe(
      `The answers to choose from: 2 to ${POLL_LIMITS.max_options}, each of at most ${POLL_LIMITS.max_characters_per_option} characters.`,
    ),
  expires_in: formInteger(-1_000_000_000, 1_000_000_000)
    .optional()
    .describe(
      `How long the poll is open, in seconds: ${POLL_LIMITS.min_expiration} to ${POLL_LIMITS.max_expiration}.`,
    ),
  multiple: formBoolean.optional().describe('Whether a voter may choose several answers; false by default.'),
  hide_totals: formBoolean
    .optional()
    .describe('Whether the counts stay hidden until the poll ends; false by default.'),
});
export type PollInput = z.output<typeof pollInput>;

/** Returns a poll that begins `now` (ISO 8601). Pure. @throws RookeryError `invalid` */
export function decidePoll(id: string, input: PollInput, now: string): PollQuestion {
  const options = optionsOf(input);
  const problems = [...problemsOfOptions(options), ...problemsOfExpiry(input.expires_in)];
  if (problems.length > 0) throw invalid(`Validation failed: ${problems.join(', ')}`);
  return {
    id,
    options,
    multiple: input.multiple === true,
    hide_totals: input.hide_totals === true,
    expires_at: timeAfter(now, Number(input.expires_in) * 1_000),
  };
}

/** Returns the options in their stored form. */
export const optionsOf = ({ options }: PollInput): string[] =>
  options.map((option) => option.trim()).filter((option) => option !== '');

const { max_options, max_characters_per_option, min_expiration, max_expiration } = POLL_LIMITS;

/** Returns all problems, in Mastodon's order and words. */
function problemsOfOptions(options: string[]): string[] {
  const longest = Math.max(0, ...options.map(countGraphemes));
  return Object.entries({
    "Choices can't be blank": options.length === 0,
    'Choices must have more than one item': options.length < 2,
    [`Choices can't contain more than ${max_options} items`]: options.length > max_options,
    [`Choices cannot be longer than ${max_characters_per_option} characters each`]:
      longest > max_characters_per_option,
    'Choices contain duplicate items': new Set(options).size < options.length,
  }).flatMap(([problem, applies]) => (applies ? [problem] : []));
}

function problemsOfExpiry(seconds: number | null | undefined): string[] {
  if (seconds == null) return ["Deadline can't be blank"];
  if (seconds > max_expiration) return ['Deadline is too far into the future'];
  return seconds < min_expiration ? ['Deadline is too soon'] : [];
}
