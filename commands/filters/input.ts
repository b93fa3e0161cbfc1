import { z } from 'zod';
import { formBoolean, formInteger, formObjects, formStringArray } from '../../src/kernel/input.ts';

/** What apps send about filters, in JSON or a form; lengths only bound the work, the decisions have the rules. */
const text = z.string().max(20_000).nullish();
const MAX_SECONDS = 100 * 366 * 24 * 60 * 60;

const contextInput = formStringArray(50, 100).optional();
/** Seconds from now; null for never. */
const expiryInput = formInteger(0, MAX_SECONDS).optional();

const settingsInput = z.object({
  title: text,
  context: contextInput,
  filter_action: z.string().max(40).nullish(),
  expires_in: expiryInput,
});
export type SettingsInput = z.output<typeof settingsInput>;

export const keywordInput = z.object({ keyword: text, whole_word: formBoolean.optional() });
export type KeywordInput = z.output<typeof keywordInput>;

/** With an id it is about that keyword, without one it is a new one. */
const keywordAttributes = keywordInput.extend({
  id: z.preprocess((id) => (typeof id === 'number' ? String(id) : id), z.string().max(40)).nullish(),
  _destroy: formBoolean.optional(),
});
export type KeywordAttributes = z.output<typeof keywordAttributes>;

/** https://docs.joinmastodon.org/methods/filters/#create */
export const filterInput = settingsInput.extend({
  keywords_attributes: formObjects(keywordAttributes, 1_000),
});

/** https://docs.joinmastodon.org/methods/filters/#create-v1 */
export const v1Input = z.object({
  phrase: text,
  context: contextInput,
  irreversible: formBoolean.optional(),
  whole_word: formBoolean.optional(),
  expires_in: expiryInput,
});
export type V1Input = z.output<typeof v1Input>;
