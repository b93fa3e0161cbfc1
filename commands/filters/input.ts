import { z } from 'zod';
import { filterAction, type FilterContext } from '#events/filters.ts';
import { formBoolean, formInteger, formObjects, formStringArray, wordText } from '#kernel/input.ts';

/** Filters in requests, in JSON or a form. Lengths only bound the work; the decisions have the rules. */
const text = z.string().max(20_000).nullish();
const MAX_SECONDS = 100 * 366 * 24 * 60 * 60;

/** Rails ignores values that are no list here. */
const contextInput = z
  .preprocess(
    (value: readonly FilterContext[] | null) => (typeof value === 'object' ? (value ?? []) : undefined),
    formStringArray(50, 100).optional(),
  )
  .optional()
  .describe('Where the filter applies: `home`, `notifications`, `public`, `thread`, `account`.');
const expiryInput = formInteger(-MAX_SECONDS, MAX_SECONDS)
  .optional()
  .describe('How long the filter lasts from now, in seconds; an empty value is without end.');

const settingsInput = z.object({
  title: text.describe('The name of the filter, which only its owner sees.'),
  context: contextInput,
  filter_action: wordText(filterAction.options, 40)
    .nullish()
    .describe(
      'What apps do with a match: `warn` (for a new filter), `hide` or `blur`, which is for media alone.',
    ),
  expires_in: expiryInput,
});
export type SettingsInput = z.output<typeof settingsInput>;

export const keywordInput = z.object({
  keyword: text.describe('The word or phrase to look for.'),
  whole_word: formBoolean.optional().describe('Whether only whole words match; true for a new keyword.'),
});
export type KeywordInput = z.output<typeof keywordInput>;

/** With an id it changes that keyword; without one it adds a keyword. */
const keywordAttributes = keywordInput.extend({
  id: z
    .preprocess((id: number | string) => (typeof id === 'number' ? String(id) : id), z.string().max(40))
    .nullish()
    .describe('The ID of the keyword to change; absent, a new one is added.'),
  _destroy: formBoolean.optional().describe('Whether the keyword with this ID is removed; false by default.'),
});
export type KeywordAttributes = z.output<typeof keywordAttributes>;

/** https://docs.joinmastodon.org/methods/filters/#create */
export const filterInput = settingsInput.extend({
  keywords_attributes: formObjects(keywordAttributes, 1_000).describe(
    'Keywords to add, change or remove; others stay as they are.',
  ),
});

/** https://docs.joinmastodon.org/methods/filters/#create-v1 */
export const v1Input = z.object({
  phrase: text.describe('The word or phrase to look for.'),
  context: contextInput,
  irreversible: formBoolean
    .optional()
    .describe('Whether matches are hidden altogether rather than behind a warning; false for a new filter.'),
  whole_word: formBoolean.optional().describe('Whether only whole words match; false for a new filter.'),
  expires_in: expiryInput,
});
export type V1Input = z.output<typeof v1Input>;
