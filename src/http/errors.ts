import { ZodError } from 'zod';
import { outage } from '../eventlog/port.ts';
import { isRookeryError, RookeryError, type ErrorCode } from '../kernel/errors.ts';

/** The HTTP status of each error code; the only place that knows. */
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
 * Any failure in Mastodon's form (https://docs.joinmastodon.org/entities/Error/). What is not ours is a 500 whose cause
 * stays here.
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

/** Input that does not fit the declared schema: 422, the fields by name. */
export function validationFailed(error: ZodError): RookeryError {
  const details: Record<string, { error: string; description: string }[]> = {};
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.') || 'base';
    (details[field] ??= []).push({ error: codeOf(issue), description: issue.message });
  }
  const texts = Object.entries(details).map(([field, [first]]) => `${field}: ${first?.description ?? ''}`);
  return new RookeryError('invalid', `Validation failed: ${texts.join(', ')}`, { details, cause: error });
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
