import { z } from 'zod';
import { byAge, ID_FORM, isId, leadingId } from './ids.ts';

/**
 * Schemas for forms and query strings of Mastodon's clients, where everything is text; JSON's own types pass
 * too. The empty text means "nothing": null, or an empty list. Add `.optional()` for optional parameters.
 */

/** Every other text means true: https://api.rubyonrails.org/classes/ActiveModel/Type/Boolean.html */
const FALSE = new Set(['0', 'f', 'false', 'off']);

/** Parses a boolean like Rails, but in any case (docs/decisions/0401-booleans.md), or null. */
export const formBoolean = z.preprocess((value: boolean | number | string | null) => {
  if (value === '' || typeof value === 'object') return null;
  if (typeof value === 'number') return value !== 0;
  return typeof value === 'string' ? !FALSE.has(value.toLowerCase()) : value;
}, z.boolean().nullable());

/** Parses an integer between the bounds (inclusive) like Rails, so `600.7` is 600 and `x` is 0, or null. */
export const formInteger = (min: number, max: number) =>
  z.preprocess((value: number | string | null) => {
    if (typeof value === 'number') return Math.trunc(value);
    if (typeof value !== 'string') return value;
    return value.trim() === '' ? null : leadingInteger(value);
  }, z.int().min(min).max(max).nullable());

/**
 * Parses a list of texts without empty ones: `a[]=x`, `a[0]=x`, or a JSON list. A single text is a list of
 * one only where Mastodon accepts it (`alone`). Lengths in UTF-16 units. `words` as in `wordText`.
 */
export const formStringArray = <Word extends string>(
  maxItems: number,
  maxLength: number,
  { alone = false }: { alone?: boolean; words?: readonly Word[] } = {},
) =>
  z.preprocess(
    (value: readonly Word[] | Word | null) => {
      const list = isScalar(value) && !alone ? [] : listOf(value);
      if (!Array.isArray(list)) return list;
      return list.map(textOf).filter((item) => item !== '' && item !== null);
    },
    z.array(z.string().max(maxLength)).max(maxItems),
  );

/** Parses the same list, but ignores other values, like Rails' `permit`. */
export const formList = (maxItems: number, maxLength: number) =>
  z
    .preprocess(
      (value: readonly string[] | null) => (typeof value === 'object' && value !== null ? value : undefined),
      formStringArray(maxItems, maxLength).optional(),
    )
    .optional();

/** Parses a list of `item`, which may have numbers as keys. Empty texts are dropped. */
export const formArray = <Item extends z.ZodType>(item: Item, maxItems: number) =>
  z.preprocess((value: z.input<Item> | readonly z.input<Item>[] | null) => {
    const list = listOf(value);
    return Array.isArray(list) ? list.filter((each) => each !== '') : list;
  }, z.array(item).max(maxItems));

/**
 * Parses a hash with at least one known member. Ignores a text, a list or null, like Rails' `permit`.
 * https://api.rubyonrails.org/classes/ActionController/Parameters.html#method-i-permit
 */
export const formObject = <Schema extends z.ZodObject>(schema: Schema) =>
  z
    .preprocess(
      (value: z.input<Schema> | null | undefined) => (isHashOf(schema, value) ? value : undefined),
      schema.optional(),
    )
    .optional();

/**
 * Parses the same hash. A value that is neither blank nor such a hash becomes null, for the handler to refuse.
 * https://api.rubyonrails.org/classes/ActionController/Parameters.html#method-i-expect
 */
export const expectedObject = <Schema extends z.ZodObject>(schema: Schema) =>
  z
    .preprocess(
      (value: z.input<Schema> | null | undefined) =>
        isHashOf(schema, value) ? value : isBlank(value) ? undefined : null,
      schema.nullable().optional(),
    )
    .optional();

/**
 * Parses a list of hashes, which may have numbers as keys: `fields_attributes: { "0": { ... } }`. Null and
 * the empty text are the empty list; other items of a list are dropped (the app for iOS sends
 * `fields_attributes[]=` for none). Other values are ignored, as in `formObject`.
 */
export const formObjects = <Item extends z.ZodObject>(item: Item, maxItems: number) =>
  z
    .preprocess((value: readonly z.input<Item>[] | '' | null | undefined) => {
      const list = listOf(value);
      return Array.isArray(list) && typeof value === 'object'
        ? list.filter(isHash)
        : value === ''
          ? []
          : undefined;
    }, z.array(item).max(maxItems).optional())
    .optional();

const NO_ID = 'must be an id';

/**
 * Parses an id like Rails; JSON clients may send a number. Text that is no id names nothing: in a path that
 * is "not found". https://api.rubyonrails.org/classes/ActiveModel/Type/Integer.html
 */
export const idParam = z.preprocess(
  (value: number | string) => idOf(value),
  z.string().regex(ID_FORM, NO_ID).refine(isId, NO_ID),
);

/**
 * An id in a body. Text that is no id becomes 0, which names nothing: the reply is "not found" rather than
 * "invalid".
 */
export const namedId = idParam.catch('0');

/**
 * An optional field. A form sends an empty text for a field that was not filled in; it becomes null, as in
 * JSON.
 */
export const orNothing = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((value: z.input<Schema> | '' | null) => (value === '' ? null : value), schema.nullable())
    .optional();

/** An optional condition. A form sends an empty text for a field that was not filled in; it becomes undefined. */
export const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(
    (value: z.input<Schema> | '' | undefined) => (value === '' ? undefined : value),
    schema.optional(),
  );

/**
 * A text for the handler to compare with these words, because Mastodon refuses or ignores others in its own way. Any text
 * passes, but in a call of our own the compiler takes one of the words.
 */
export const wordText = <Word extends string>(_words: readonly Word[], maxLength: number) =>
  z.string().max(maxLength) as z.ZodType<string> as z.ZodType<string, Word>;

/** Returns the first value of a repeated parameter: `tag[]=a&tag[]=b` counts as `tag=a`. */
export const firstOf = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : value);

/** Tells whether a parameter is neither a list, nor a hash, nor absent. */
export const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Returns the integer that a text begins with, or 0, as Rails reads numbers: https://docs.ruby-lang.org/en/master/String.html#method-i-to_i */
export function leadingInteger(value: string | number | boolean): number {
  const [digits = '0'] = /^\s*[+-]?\d{1,15}/.exec(String(value)) ?? [];
  return Number(digits);
}

/** Tells whether a key is a number by which apps order the items of a list: any integer. */
export const isIndex = (key: string): boolean => /^-?[0-9]{1,40}$/.test(key);

const isHash = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isHashOf = ({ shape }: z.ZodObject, value: unknown): boolean =>
  isHash(value) && Object.keys(value).some((key) => key in shape);

/** https://api.rubyonrails.org/classes/Object.html#method-i-blank-3F */
function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === false;
}

function listOf(value: unknown): unknown {
  if (value === null || value === '') return [];
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return entries.every(([key]) => isIndex(key)) ? entries.map(([, item]) => item as unknown) : value;
}

function textOf(value: unknown): unknown {
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
}

function idOf(value: unknown): unknown {
  const text = textOf(value);
  return typeof text === 'string' ? leadingId(text) : text;
}

/** The path parameter `:id`. */
export const idParams = z.object({
  id: idParam.describe(
    'The ID, a text of digits, of the object that the path is about; 404 where there is none.',
  ),
});

/**
 * Parses `id[]`, or a single `id` unless Mastodon ignores it there. Texts that are no ids, and ids past the
 * maximum, are left out.
 */
export const idList = (max: number, { alone = true } = {}) =>
  formStringArray(1_000, 40, { alone })
    .default([])
    .transform((texts) => [...new Set(texts.map(leadingId).filter(isId))].slice(0, max));

/**
 * Parses the same, from the oldest to the newest: lists of accounts have the order in which Mastodon finds
 * them.
 */
export const idsByAge = (max: number) => idList(max).transform((ids) => ids.sort(byAge));
