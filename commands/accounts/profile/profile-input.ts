import { z } from 'zod';
import { formBoolean, formList, formObject, formObjects, wordText } from '#kernel/input.ts';
import {
  MAX_DISPLAY_NAME,
  MAX_FIELD_TEXT,
  MAX_FIELDS,
  MAX_NOTE,
  MAX_PICTURE_DESCRIPTION,
} from '#mastodon/limits.ts';
import { PRIVACIES, QUOTE_POLICIES } from './preferences.ts';

const text = z.string().max(20_000).nullish();

/** Posting preferences, under the names of `source`; `preferences.ts` has the rules. */
const source = z.object({
  privacy: wordText(PRIVACIES, 40)
    .nullish()
    .describe('The default visibility of new statuses: `public`, `unlisted` or `private`.'),
  sensitive: formBoolean
    .optional()
    .describe('Whether media of new statuses are marked as sensitive by default.'),
  language: z
    .string()
    .max(40)
    .nullish()
    .describe('The code of the default language of new statuses; an empty text removes it.'),
  quote_policy: wordText(QUOTE_POLICIES, 40)
    .nullish()
    .describe('The default for who may quote new statuses: `public`, `followers` or `nobody`.'),
});

/** Apps send the empty text when the user chose no file. */
const noFile = z
  .string()
  .max(20_000)
  .nullish()
  .describe('A picture comes as a file of a multipart body; a text that is not empty is refused.');

/**
 * The body of a profile change, in JSON or a form. Its lengths only bound the work; `profile.ts` has the
 * rules.
 */
export const updateBody = z.object({
  display_name: text.describe(`The display name, of at most ${MAX_DISPLAY_NAME} characters.`),
  note: text.describe(`The biography as plain text, of at most ${MAX_NOTE} characters.`),
  locked: formBoolean.optional().describe('Whether the user approves each follower by hand.'),
  bot: formBoolean.optional().describe('Whether the account is marked as automated.'),
  discoverable: formBoolean
    .optional()
    .describe('Whether the account may appear in the directory, in suggestions and in trends.'),
  hide_collections: formBoolean
    .optional()
    .describe('Whether the lists of followers and of followed accounts are hidden from others.'),
  indexable: formBoolean
    .optional()
    .describe('Whether anybody may find public statuses of the account by full-text search.'),
  noindex: formBoolean
    .optional()
    .describe('Whether search engines are asked not to index the pages of the account.'),
  avatar: noFile,
  header: noFile,
  avatar_description: text.describe(
    `The alternative text of the avatar, of at most ${MAX_PICTURE_DESCRIPTION} characters.`,
  ),
  header_description: text.describe(
    `The alternative text of the header, of at most ${MAX_PICTURE_DESCRIPTION} characters.`,
  ),
  show_media: formBoolean.optional().describe('Whether the profile has a tab with media.'),
  show_media_replies: formBoolean
    .optional()
    .describe('Whether the tab with media includes those of replies.'),
  show_featured: formBoolean.optional().describe('Whether the profile has a tab with featured content.'),
  attribution_domains: formList(100, 300).describe(
    'Domains of websites that may name the account as the author of their articles, at most 10.',
  ),
  fields_attributes: formObjects(
    z.object({
      name: text.describe(`The label of the field, cut at ${MAX_FIELD_TEXT} characters.`),
      value: text.describe(`The content of the field, cut at ${MAX_FIELD_TEXT} characters.`),
    }),
    100,
  ).describe(
    `The fields of the profile in their order, at most ${MAX_FIELDS}; they replace all earlier ones.`,
  ),
  source: formObject(source).describe('The defaults for new statuses; absent ones keep their value.'),
});
export type UpdateInput = z.output<typeof updateBody>;
