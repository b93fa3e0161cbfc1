import { isDeepStrictEqual } from 'node:util';

/** The value of a field; a list contains texts or numbers. */
export type Value = string | number | boolean | null | string[] | number[];
export type Fields = Record<string, Value>;

/** The change of one field. A long text is cut (`cut`), a personal value is withheld (`withheld`). */
export interface Change {
  field: string;
  before: Value;
  after: Value;
  shown: 'whole' | 'cut' | 'withheld';
}

/** The maximum UTF-16 units of a text in the audit; the log has the whole text. */
export const MAX_SHOWN = 1_000;

export function change(field: string, before: Value | undefined, after: Value | undefined): Change {
  const isCut = isLong(before) || isLong(after);
  return { field, before: cut(before), after: cut(after), shown: isCut ? 'cut' : 'whole' };
}

/** Records a change without values: the log forgets them when a user is erased, and so must the audit. */
export const withheld = (field: string): Change => ({ field, before: null, after: null, shown: 'withheld' });

/** Returns the changes that an event makes to the fields that it names. */
export const differences = (before: Fields | null, after: Fields): Change[] =>
  Object.entries(after)
    .map(([field, value]) => change(field, before?.[field], value))
    .filter(isReal);

/** Returns the changes by which all fields become null. */
export const losses = (before: Fields | null): Change[] =>
  Object.entries(before ?? {})
    .map(([field, value]) => change(field, value, null))
    .filter(isReal);

/** Returns the fields as far as later changes need them: the length of a text must remain visible. */
export const short = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      typeof value === 'string' ? value.slice(0, MAX_SHOWN + 1).toWellFormed() : value,
    ]),
  );

/** Returns the present members with these names. */
export const pick = <Name extends string>(
  data: { readonly [Key in Name]?: Value | undefined },
  names: readonly Name[],
): Fields =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = data[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Two long texts may begin with the same words. */
const isReal = ({ before, after, shown }: Change): boolean =>
  shown !== 'whole' || !isDeepStrictEqual(before, after);

const isLong = (value: Value | undefined): boolean => typeof value === 'string' && value.length > MAX_SHOWN;

const cut = (value: Value | undefined): Value =>
  typeof value === 'string' && value.length > MAX_SHOWN
    ? value.slice(0, MAX_SHOWN).toWellFormed()
    : (value ?? null);
