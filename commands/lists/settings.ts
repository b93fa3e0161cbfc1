import { z } from 'zod';
import { repliesPolicy } from '../../src/events/lists.ts';
import { isLonger } from '../../src/kernel/characters.ts';
import { invalid } from '../../src/kernel/errors.ts';
import { formBoolean } from '../../src/kernel/input.ts';
import { BLANK, FieldProblems, tooLong } from '../accounts/index.ts';
import type { ListSettings } from './list.ts';

/** In characters; Mastodon's. */
export const MAX_TITLE = 256;

/** https://docs.joinmastodon.org/methods/lists/#create; lengths only bound the work. */
export const listInput = z.object({
  title: z.string().max(20_000).nullish().describe(`The title, of at most ${MAX_TITLE} characters.`),
  replies_policy: z
    .string()
    .max(1_000)
    .nullish()
    .describe(
      'Which replies the list shows: `list` (for a new list) those to its members, `followed` those to any followed account, `none` no replies.',
    ),
  exclusive: formBoolean
    .optional()
    .describe('Whether statuses of its members are left out of the home timeline; false for a new list.'),
});
export type ListInput = z.output<typeof listInput>;

/** What was given; a title that is given is none that is blank. @throws RookeryError `invalid` */
export function checkSettings(input: ListInput): Partial<ListSettings> {
  const settings: Partial<ListSettings> = {};
  if (input.title !== undefined) settings.title = checkTitle(input.title);
  const policy = input.replies_policy || undefined;
  if (policy !== undefined) settings.replies_policy = policyOf(policy);
  if (input.exclusive != null) settings.exclusive = input.exclusive;
  return settings;
}

/** @throws RookeryError `invalid` */
export function checkTitle(given: string | null | undefined): string {
  const title = given ?? '';
  const problems = new FieldProblems();
  if (title.trim() === '') problems.add('title', BLANK);
  if (isLonger(title, MAX_TITLE)) problems.add('title', tooLong(MAX_TITLE));
  problems.throwIfAny();
  return title;
}

function policyOf(name: string): ListSettings['replies_policy'] {
  const { data } = repliesPolicy.safeParse(name);
  if (data) return data;
  const text = `'${name.slice(0, 40)}' is not a valid replies_policy`;
  throw invalid(text, { replies_policy: [{ error: 'ERR_INCLUSION', description: text }] });
}
