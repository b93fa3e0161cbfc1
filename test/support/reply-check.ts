import { AssertionError, expect } from 'chai';
import type { z } from 'zod';
import { endpoints } from '#app/routes.ts';

const patterns = endpoints.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace(/:[a-z_]+/g, '[^/]+')}$`),
}));

/** Checks a 2xx reply against the schema that its endpoint declares. */
export function checkReply(method: string, path: string, json: unknown): void {
  const pathname = path.replace(/\?.*$/, '');
  const match = patterns.find(
    ({ endpoint, pattern }) => endpoint.method === method && pattern.test(pathname),
  );
  if (match) assertReply(match.endpoint.reply, json);
}

/**
 * Fails when a reply is not exactly what its schema declares: wrong, missing or undeclared members. Returns
 * the reply with the schema's type. The error names every place and the value found there.
 */
export function assertReply<Reply>(schema: z.ZodType<Reply>, json: unknown): Reply {
  const result = schema.safeParse(json);
  if (!result.success) {
    const lines = result.error.issues.flatMap((issue) => explain(issue, json, []));
    throw new AssertionError(
      `The reply does not fit its schema:\n${lines.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  // An object that is not strict drops members that it does not know.
  expect(result.data, 'the reply holds members that its schema drops').to.deep.equal(json);
  return result.data;
}

type Path = readonly PropertyKey[];

function explain(issue: z.core.$ZodIssue, json: unknown, parents: Path): string[] {
  const path = [...parents, ...issue.path];
  if (issue.code === 'invalid_union') {
    const closest = issue.errors.toSorted((a, b) => a.length - b.length)[0] ?? [];
    if (closest.length > 0) return closest.flatMap((inner) => explain(inner, json, path));
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => line([...path, key], 'is not in the schema', json));
  }
  return [line(path, issue.message, json)];
}

function line(path: Path, message: string, json: unknown): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return `${place.replace(/^\./, '') || '(reply)'}: ${message}, got ${shown(valueAt(json, path))}`;
}

const valueAt = (json: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined | null)?.[key],
    json,
  );

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
