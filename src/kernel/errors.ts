/**
 * The code names the failure; `src/interfaces/http/errors.ts` maps it to an HTTP status. The message is safe
 * to show to a client; a cause never leaves the process.
 */
export type ErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'too_many_requests'
  | 'unavailable'
  | 'internal';

/** One entry of Mastodon's validation `details`: https://docs.joinmastodon.org/methods/accounts/#create */
export interface ValidationDetail {
  error: string;
  description: string;
}

/** Extra members of the reply body, in Mastodon's names. */
export interface ErrorExtras {
  error_description?: string;
  details?: Record<string, ValidationDetail[]>;
  /** Further members that Mastodon documents for this reply. */
  members?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
}

/** A failure for the caller. Recognise it by `isRookeryError`. */
export class RookeryError extends Error {
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, { cause: extras.cause });
    this.name = 'RookeryError';
    this.code = code;
    this.extras = extras;
  }
}

export const isRookeryError = (error: unknown): error is RookeryError => error instanceof RookeryError;

export const notFound = (): RookeryError => new RookeryError('not_found', 'Record not found');
export const forbidden = (message = 'This action is not allowed'): RookeryError =>
  new RookeryError('forbidden', message);
export const unauthorized = (message: string): RookeryError => new RookeryError('unauthorized', message);

/** The challenge of an OAuth error, in Mastodon's realm (RFC 6750, section 3). */
export const bearerChallenge = (error: string, description: string): Record<string, string> => ({
  'WWW-Authenticate': `Bearer realm="Doorkeeper", error="${error}", error_description="${description.replace(/[^ !#-[\]-~]/g, '')}"`,
});

/** Returns the 401 for an unknown or revoked token. */
export function badToken({ revoked }: { revoked: boolean } = { revoked: false }): RookeryError {
  const message = `The access token ${revoked ? 'was revoked' : 'is invalid'}`;
  return new RookeryError('unauthorized', message, { headers: bearerChallenge('invalid_token', message) });
}

/**
 * Returns the 403 for a token without any accepted scope; the challenge names the scopes, and broader ones.
 */
export function scopeMissing(scopes: readonly string[]): RookeryError {
  const wider = scopes.flatMap((scope) => /^(?:admin:)?(?:read|write)(?=:)/.exec(scope) ?? []);
  const names = [...new Set([...scopes, ...wider])].sort().join(' ');
  const description = `Access to this resource requires scope _${names}_.`;
  return new RookeryError('forbidden', 'This action is outside the authorized scopes', {
    headers: bearerChallenge('insufficient_scope', description),
  });
}

/**
 * Returns the 400 for a missing parameter. `name` has the form's notation: `subscription[endpoint]`.
 * https://docs.joinmastodon.org/entities/Error/#parameter-missing
 */
export const parameterMissing = (name: string, cause?: unknown): RookeryError =>
  new RookeryError('bad_request', `param is missing or the value is empty or invalid: ${name}`, { cause });
const USERS_ONLY = 'This method requires an authenticated user';
/** Returns the 401 for a request without a user's token to an endpoint for users. */
export const signInNeeded = (): RookeryError => unauthorized(USERS_ONLY);
/**
 * Returns the 422 for an application's own token: https://docs.joinmastodon.org/entities/Error/#user-required
 */
export const userNeeded = (): RookeryError => invalid(USERS_ONLY);
/** Two commands wrote to one stream, or drew the same id; a repeat may succeed. */
export const conflict = (cause?: unknown): RookeryError =>
  new RookeryError('conflict', 'Somebody else is changing this too; try again', { cause });
export const invalid = (message: string, details?: Record<string, ValidationDetail[]>): RookeryError =>
  new RookeryError('invalid', message, details ? { details } : {});

/** The codes of a full disk or a used-up quota, from the system and Postgres (53100). */
const DISK_FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100']);

/** Tells whether a write failed because the disk is full, at any level. */
export function isDiskFull(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    if ('code' in each && DISK_FULL.has(each.code)) return true;
  }
  return false;
}
