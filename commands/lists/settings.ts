import { z } from 'zod';
import { repliesPolicy } from '#events/lists.ts';
import { BLANK, FieldProblems, tooLong, UNKNOWN } from '#kernel/field-problems.ts';
import { formBoolean, wordText } from '#kernel/input.ts';
import { isLonger } from '#mastodon/characters.ts';
import type { ListSettings } from './list.ts';

/** Characters, as in Mastodon. */
export const MAX_TITLE = 256;

/** https://docs.joinmastodon.org/methods/lists/#create; lengths only bound the work. */
export const listInput = z.object({
  title: z.string().max(20_000).nullish().describe(`The title, of at most ${MAX_TITLE} characters.`),
  replies_policy: wordText(repliesPolicy.options, 1_000)
    .nullish()
    .describe(
      'Which replies the list shows: `list` (for a new list) those to its members, `followed` those to any followed account, `none` no replies.',
    ),
  exclusive: formBoolean
    .optional()
    .describe('Whether statuses of its members are left out of the home timeline; false for a new list.'),
});
export type ListInput = z.output<typeof listInput>;

/** Returns the given settings; a new list needs a title. @throws RookeryError `invalid` with all problems */
export function checkSettings(input: ListInput, { isNew = false } = {}): Partial<ListSettings> {
  const problems = new FieldProblems();
  const settings: Partial<ListSettings> = {};
  if (input.replies_policy !== undefined) {
    const { data } = repliesPolicy.safeParse(input.replies_policy);
    if (data) settings.replies_policy = data;
    else problems.add('replies_policy', UNKNOWN);
  }
  if (isNew || input.title !== undefined) settings.title = checkTitle(input.title ?? '', problems);
  if (input.exclusive != null) settings.exclusive = input.exclusive;
  problems.throwIfAny();
  return settings;
}

function checkTitle(title: string, problems: FieldProblems): string {
  if (title.trim() === '') problems.add('title', BLANK);
  if (isLonger(title, MAX_TITLE)) problems.add('title', tooLong(MAX_TITLE));
  return title;
}
