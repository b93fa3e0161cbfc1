import type { z } from 'zod';
import type { DescribedEndpoint } from './described.ts';
import { type JsonSchema, mapValues } from './schemas.ts';

export const ERROR_SCHEMAS: Record<string, JsonSchema> = {
  Error: {
    type: 'object',
    properties: { error: { type: 'string' }, error_description: { type: 'string' } },
    required: ['error'],
  },
  ValidationError: {
    type: 'object',
    properties: {
      error: { type: 'string' },
      details: {
        type: 'object',
        description: 'What is wrong, by the name of the field.',
        additionalProperties: {
          type: 'array',
          items: {
            type: 'object',
            properties: { error: { type: 'string' }, description: { type: 'string' } },
            required: ['error', 'description'],
          },
        },
      },
    },
    required: ['error'],
  },
};

const STATUS_TEXTS: Record<number, string> = {
  400: 'The request is malformed',
  401: 'The token is missing or invalid',
  403: 'The token may not do this',
  404: 'There is no such thing, or it is hidden',
  409: 'The request conflicts with another one',
  410: 'It is gone',
  413: 'The body is too large',
  415: 'The type of the body is not understood',
  422: 'A value is invalid',
  429: 'Too many requests',
  503: 'Try again later',
};

/** A stream that only switches protocols has no reply of status 200. */
export function successes(
  { replies = {}, contentType = 'application/json' }: DescribedEndpoint,
  reply?: JsonSchema,
) {
  const content = reply ? { content: { [contentType]: { schema: reply } } } : {};
  const statuses = 101 in replies ? replies : { 200: 'Success', ...replies };
  return mapValues(statuses, (description) => ({ description, ...content }));
}

/** The declared statuses, and those that follow from the declaration. */
export function errorNumbers({ method, auth, body, query, path, errors = [] }: DescribedEndpoint): number[] {
  const numbers = new Set([...errors, 400, 429, 503]);
  const add = (...statuses: number[]): void => statuses.forEach((status) => numbers.add(status));
  if (auth !== 'public') add(401, 403);
  // An application's own token is invalid where a user is needed.
  if (auth === 'user' || [body, query].some((schema) => schema && canRefuse(schema))) add(422);
  if (body) add(413, 415);
  if (method !== 'GET' && auth === 'user') add(409);
  if (path.includes(':')) add(404);
  return [...numbers].sort((a, b) => a - b);
}

const WRONG_VALUES: readonly unknown[] = [{}, 'x'.repeat(200_000)];

/**
 * Returns true if a value can be invalid. Many schemas accept everything: a limit that is no number becomes
 * the default.
 */
const canRefuse = ({ shape }: z.ZodObject): boolean =>
  Object.values(shape).some((field: z.ZodType) =>
    WRONG_VALUES.some((value) => !field.safeParse(value).success),
  );

export const errorReply = (status: number) => ({
  description: STATUS_TEXTS[status] ?? 'Failure',
  content: {
    'application/json': {
      schema: { $ref: `#/components/schemas/${status === 422 ? 'ValidationError' : 'Error'}` },
    },
  },
});
