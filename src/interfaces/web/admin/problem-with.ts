import { isRookeryError } from '#kernel/errors.ts';

/** Returns the message of an error about the conditions of a list. @throws any other error */
export function problemWith(error: unknown): string {
  if (isRookeryError(error) && ['bad_request', 'invalid'].includes(error.code)) return error.message;
  throw error;
}
