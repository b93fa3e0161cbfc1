import { type z, ZodError } from 'zod';
import { type ErrorCode, isRookeryError, parameterMissing, RookeryError } from '#kernel/errors.ts';
import { outage } from '#storage/eventlog/port.ts';
import { labelOfPath, RAILS_MESSAGES } from './schema-messages.ts';

/** The HTTP status of each error code. */
const STATUS: Record<ErrorCode, number> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
};

export interface ErrorReply {
  status: number;
  body: { error: string; error_description?: string; details?: unknown; [member: string]: unknown };
  headers: Record<string, string>;
}

/**
 * Returns the reply for any failure in Mastodon's form (https://docs.joinmastodon.org/entities/Error/). An
 * unknown error is a 500 whose cause is not sent.
 */
export function errorReply(error: unknown): ErrorReply {
  const known = error instanceof ZodError ? validationFailed(error) : outage(error);
  if (!isRookeryError(known)) {
    return { status: 500, body: { error: 'An unexpected error occurred' }, headers: {} };
  }
  const { error_description, details, members, headers = {} } = known.extras;
  return {
    status: STATUS[known.code],
    body: {
      error: known.message,
      ...(error_description === undefined ? {} : { error_description }),
      ...(details === undefined ? {} : { details }),
      ...members,
    },
    headers,
  };
}

/**
 * Returns the error for input that does not fit a schema: 400 when a required parameter is missing, like
 * https://docs.joinmastodon.org/entities/Error/#parameter-missing; otherwise 422. (Many parameters that
 * Mastodon's pages call required are optional in the schema, because the pages document a 422 that says they
 * can't be blank.)
 */
export function inputRefused(schema: z.ZodType, input: unknown, error: ZodError): RookeryError {
  // Parses again with the inputs, which must not get into an error that is logged.
  const issues = schema.safeParse(input, { ...RAILS_MESSAGES, reportInput: true }).error?.issues ?? [];
  const missing = issues.find((issue) => issue.code !== 'custom' && issue.input === undefined);
  if (!missing) return validationFailed(error);
  const [first = '', ...rest] = missing.path.map(String);
  return parameterMissing([first, ...rest.map((part) => `[${part}]`)].join(''), error);
}

/**
 * Returns the error for input that does not fit the schema, parsed with `RAILS_MESSAGES`: 422, with the
 * fields by name.
 */
export function validationFailed(error: ZodError): RookeryError {
  const details: Record<string, { error: string; description: string }[]> = {};
  const texts = new Set<string>();
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.') || 'base';
    (details[field] ??= []).push({ error: codeOf(issue), description: issue.message });
    texts.add(`${labelOfPath(issue.path)} ${issue.message}`.trim());
  }
  return new RookeryError('invalid', `Validation failed: ${[...texts].join(', ')}`, {
    details,
    cause: error,
  });
}

function codeOf(issue: ZodError['issues'][number]): string {
  switch (issue.code) {
    case 'too_big':
      return 'ERR_TOO_LONG';
    case 'too_small':
      return 'ERR_TOO_SHORT';
    case 'invalid_value':
      return 'ERR_INCLUSION';
    default:
      return 'ERR_INVALID';
  }
}
