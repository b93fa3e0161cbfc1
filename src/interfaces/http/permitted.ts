import type { z } from 'zod';
import { RAILS_MESSAGES } from './schema-messages.ts';

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue & { readonly input?: unknown };

/** Each round mends issues that others hid before. */
const MAX_ROUNDS = 4;

/**
 * Parses input as Rails permits parameters: a number counts as text where text is expected, and a list or a
 * hash in place of a single value counts as absent.
 * https://api.rubyonrails.org/classes/ActionController/Parameters.html#method-i-permit
 */
export function parsePermitted(
  schema: z.ZodObject,
  input: Record<string, unknown>,
): z.ZodSafeParseResult<unknown> {
  const first = schema.safeParse(input, RAILS_MESSAGES);
  if (first.success) return first;
  let current = input;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { success, data, error } = schema.safeParse(current, { ...RAILS_MESSAGES, reportInput: true });
    if (success) return { success, data };
    const next = mended(current, error.issues);
    if (!next) return first;
    current = next;
  }
  return first;
}

/** Returns the input without the parts that Rails drops; undefined for issues of another kind. */
function mended(
  input: Record<string, unknown>,
  issues: readonly Issue[],
): Record<string, unknown> | undefined {
  const copy = structuredClone(input);
  for (const issue of issues) {
    const { path, input: value } = issue;
    if (!['invalid_type', 'invalid_value', 'invalid_union'].includes(issue.code)) return undefined;
    // Preprocessing may have changed lists before the schema saw them.
    if (value === undefined || valueAt(input, path) !== value) return undefined;
    if (issue.code === 'invalid_type' && issue.expected === 'string' && isPlain(value, path)) {
      replace(copy, path, String(value));
    } else if (typeof value === 'object' && value !== null) {
      replace(copy, memberOf(path), undefined);
    } else {
      return undefined;
    }
  }
  return copy;
}

const isPlain = (value: unknown, path: Path): value is number | boolean =>
  typeof value === 'number' || (typeof value === 'boolean' && typeof path.at(-1) === 'string');

/** A list with an item that is no single value is dropped as a whole. */
const memberOf = (path: Path): Path =>
  typeof path.at(-1) === 'number' && path.length > 1 ? memberOf(path.slice(0, -1)) : path;

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  );
}

function replace(input: Record<string, unknown>, path: Path, value: unknown): void {
  const parent = valueAt(input, path.slice(0, -1));
  const key = path.at(-1);
  if (typeof parent !== 'object' || parent === null || key === undefined) return;
  if (value === undefined) Reflect.deleteProperty(parent, key);
  else Reflect.set(parent, key, value);
}
