import { z } from 'zod';
import type { CollectionDetails } from '../../src/events/collections.ts';
import { invalid, type ValidationDetail } from '../../src/kernel/errors.ts';
import { formBoolean } from '../../src/kernel/input.ts';
import { languageCode } from '../../src/kernel/language.ts';
import { parseTagName } from '../../src/kernel/tag-name.ts';

const MAX_NAME = 40;
const MAX_DESCRIPTION = 100;

const text = z.string().max(5_000).nullish();

/** What apps send; lengths only bound the work. */
export const detailsInput = {
  name: text,
  description: text,
  language: z.string().max(40).nullish(),
  tag_name: z.string().max(1_024).nullish(),
  sensitive: formBoolean.optional(),
  discoverable: formBoolean.optional(),
};
type DetailsInput = z.output<z.ZodObject<typeof detailsInput>>;

/** What a new collection has where nothing else is said. */
export const DEFAULT_DETAILS: CollectionDetails = {
  name: '',
  description: '',
  language: null,
  sensitive: false,
  discoverable: true,
  tag: null,
};

/** The details that a request gives; those that are absent stay out. Empty language and tag become none. */
export function checkDetails(input: DetailsInput): Partial<CollectionDetails> {
  const { name, description, language, tag_name, sensitive, discoverable } = input;
  const problems: Problems = {};
  const details: Partial<CollectionDetails> = {
    ...(name == null ? {} : { name: checkName(name.trim(), problems) }),
    ...(description === undefined
      ? {}
      : { description: checkDescription(description?.trim() ?? '', problems) }),
    ...(language === undefined ? {} : { language: checkLanguage(language, problems) }),
    ...(tag_name === undefined ? {} : { tag: checkTag(tag_name?.trim() ?? '', problems) }),
    ...(sensitive == null ? {} : { sensitive }),
    ...(discoverable == null ? {} : { discoverable }),
  };
  throwIfAny(problems);
  return details;
}

/** The details of a new collection. @throws RookeryError `invalid`: it needs a name */
export function checkNewDetails(input: DetailsInput): CollectionDetails {
  return { ...DEFAULT_DETAILS, ...checkDetails({ ...input, name: input.name ?? '' }) };
}

type Problems = Record<string, ValidationDetail[]>;

function checkName(name: string, problems: Problems): string {
  if (name === '') problems['name'] = [{ error: 'ERR_BLANK', description: "can't be blank" }];
  if (isLonger(name, MAX_NAME)) problems['name'] = [tooLong(MAX_NAME)];
  return name;
}

function checkDescription(description: string, problems: Problems): string {
  if (isLonger(description, MAX_DESCRIPTION)) problems['description'] = [tooLong(MAX_DESCRIPTION)];
  return description;
}

function checkLanguage(given: string | null, problems: Problems): string | null {
  const language = languageCode(given);
  if (given && language === null) problems['language'] = [INVALID];
  return language;
}

function checkTag(given: string, problems: Problems): CollectionDetails['tag'] {
  if (given === '') return null;
  const tag = parseTagName(given);
  if (!tag) problems['tag_name'] = [INVALID];
  return tag ?? null;
}

const INVALID: ValidationDetail = { error: 'ERR_INVALID', description: 'is invalid' };
const tooLong = (maximum: number): ValidationDetail => ({
  error: 'ERR_TOO_LONG',
  description: `is too long (maximum is ${maximum} characters)`,
});
/** In code points, as Mastodon counts here. */
const isLonger = (value: string, maximum: number): boolean => [...value].length > maximum;

function throwIfAny(problems: Problems): void {
  const texts = Object.entries(problems).flatMap(([field, details]) =>
    details.map(({ description }) => `${field.charAt(0).toUpperCase()}${field.slice(1)} ${description}`),
  );
  if (texts.length > 0)
    throw invalid(`Validation failed: ${texts.join(', ').replaceAll('_', ' ')}`, problems);
}
