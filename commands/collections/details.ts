import { z } from 'zod';
import type { CollectionDetails } from '#events/collections.ts';
import { BLANK, FieldProblems, tooLong, UNKNOWN } from '#kernel/field-problems.ts';
import { formBoolean } from '#kernel/input.ts';
import { isLonger } from '#mastodon/characters.ts';
import { postLanguage } from '#mastodon/languages.ts';
import { parseTagName } from '#mastodon/tag-name.ts';

const MAX_NAME = 40;
const MAX_DESCRIPTION = 100;

const INVALID = { error: 'ERR_INVALID', description: 'is invalid' };

const text = z.string().max(5_000).nullish();

/** The input of apps; lengths only bound the work. */
export const detailsInput = {
  name: text.describe(`The name, of at most ${MAX_NAME} characters.`),
  description: text.describe(`What the collection is about, in at most ${MAX_DESCRIPTION} characters.`),
  language: z
    .string()
    .max(40)
    .nullish()
    .describe('The code of the language of name and description; an empty text removes it.'),
  tag_name: z
    .string()
    .max(1_024)
    .nullish()
    .describe(
      'The hashtag that the collection is about, with or without its number sign; an empty text removes it.',
    ),
  sensitive: formBoolean
    .optional()
    .describe('Whether the collection is marked as sensitive; false for a new one.'),
  discoverable: formBoolean
    .optional()
    .describe('Whether the collection may be recommended to others; true for a new one.'),
};
type DetailsInput = z.output<z.ZodObject<typeof detailsInput>>;

/** The defaults of a new collection. */
const DEFAULT_DETAILS: CollectionDetails = {
  name: '',
  description: '',
  language: null,
  sensitive: false,
  discoverable: true,
  tag: null,
};

/**
 * Returns the given details. An empty language or tag becomes null.
 * @throws RookeryError `invalid` with all problems
 */
export function checkDetails(input: DetailsInput): Partial<CollectionDetails> {
  const { name, description, language, tag_name, sensitive, discoverable } = input;
  const problems = new FieldProblems();
  const details: Partial<CollectionDetails> = {
    ...(name === undefined ? {} : { name: checkName(name?.trim() ?? '', problems) }),
    ...(description === undefined
      ? {}
      : { description: checkDescription(description?.trim() ?? '', problems) }),
    ...(language === undefined ? {} : { language: checkLanguage(language, problems) }),
    ...(tag_name === undefined ? {} : { tag: checkTag(tag_name?.trim() ?? '', problems) }),
    ...(sensitive === undefined ? {} : { sensitive: checkFlag('sensitive', sensitive, problems) }),
    ...(discoverable === undefined
      ? {}
      : { discoverable: checkFlag('discoverable', discoverable, problems) }),
  };
  problems.throwIfAny();
  return details;
}

/** Returns the details of a new collection. @throws RookeryError `invalid` without a name */
export function checkNewDetails(input: DetailsInput): CollectionDetails {
  return { ...DEFAULT_DETAILS, ...checkDetails({ ...input, name: input.name ?? '' }) };
}

function checkName(name: string, problems: FieldProblems): string {
  if (name === '') problems.add('name', BLANK);
  if (isLonger(name, MAX_NAME)) problems.add('name', tooLong(MAX_NAME));
  return name;
}

function checkFlag(name: string, flag: boolean | null, problems: FieldProblems): boolean {
  if (flag === null) problems.add(name, UNKNOWN);
  return flag ?? false;
}

function checkDescription(description: string, problems: FieldProblems): string {
  if (isLonger(description, MAX_DESCRIPTION)) problems.add('description', tooLong(MAX_DESCRIPTION));
  return description;
}

function checkLanguage(given: string | null, problems: FieldProblems): string | null {
  const language = postLanguage(given);
  if (given && language === null) problems.add('language', INVALID);
  return language;
}

function checkTag(given: string, problems: FieldProblems): CollectionDetails['tag'] {
  if (given === '') return null;
  const tag = parseTagName(given);
  if (!tag) problems.add('tag_name', INVALID);
  return tag ?? null;
}
