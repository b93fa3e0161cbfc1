import type { Statement } from '#kernel/read.ts';

/**
 * Encodes array values in the cheapest form for Postgres, according to the casts in the statement's text.
 * `$3::text[]` gets the binary format, which needs no escaping and parsing. Numbers, times and flags become a
 * list without quotes, which the event schemas guarantee to be safe. pg would examine each element for
 * escaping.
 */
export function encodeArrays(statement: Statement | string, values: readonly unknown[]): unknown[] {
  const types = typesIn(typeof statement === 'string' ? statement : statement.text);
  return values.map((value, index) => {
    const type = types[index];
    if (type === undefined || !Array.isArray(value)) return value;
    return type === 'text' ? textArray(value as Texts) : plainArray(value as Plain);
  });
}

const arrayTypes = new Map<string, string[]>();

/** Returns the element types of the parameters that are cast to an array, in order. */
function typesIn(text: string): string[] {
  let types = arrayTypes.get(text);
  if (!types) {
    types = [];
    for (const [, parameter, type] of text.matchAll(/\$(\d+)::(\w+)\[\]/g))
      types[Number(parameter) - 1] = type ?? '';
    arrayTypes.set(text, types);
  }
  return types;
}

type Texts = readonly (string | null)[];
type Plain = readonly (string | number | boolean | null)[];

const plainArray = (values: Plain): string => `{${values.map((value) => value ?? 'null').join(',')}}`;

const TEXT_OID = 25;
const LONGEST_CHARACTER = 3;

/**
 * One dimension of texts: number of dimensions, whether there are nulls, type, length, lower bound; then the
 * elements, each after its length in bytes.
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/utils/adt/arrayfuncs.c (array_recv)
 */
function textArray(values: Texts): Buffer {
  const header = [1, 1, TEXT_OID, values.length, 1];
  let most = header.length * 4;
  for (const value of values) most += 4 + (value === null ? 0 : value.length * LONGEST_CHARACTER);
  const buffer = Buffer.allocUnsafe(most);
  let end = header.reduce((offset, number) => buffer.writeInt32BE(number, offset), 0);
  for (const value of values) {
    const length = value === null ? 0 : buffer.write(value, end + 4);
    buffer.writeInt32BE(value === null ? -1 : length, end);
    end += 4 + length;
  }
  return buffer.subarray(0, end);
}
