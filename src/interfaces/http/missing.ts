import type { Endpoint } from '#kernel/endpoint.ts';
import { isRookeryError, notFound, RookeryError } from '#kernel/errors.ts';

/**
 * Mastodon has two texts for missing things. These endpoints reply "Not Found", because they catch the error
 * themselves; all others reply "Record not found".
 */
const CAUGHT: readonly RegExp[] = [
  /^[A-Z]+ \/api\/v1\/statuses\/:id\/(?!quotes\/)/,
  /^GET \/api\/v1\/statuses\/:id$/,
  /^[A-Z]+ \/api\/v1\/polls\/:id/,
  /^[A-Z]+ \/api\/v1\/tags\/:name/,
  /^GET \/api\/v1\/directory$/,
  /^(?:GET|PUT|PATCH) \/api\/v1\/push\/subscription$/,
  /^GET \/api\/v1_alpha\/async_refreshes\/:id$/,
];

export const caughtAbsence = (cause?: unknown): RookeryError =>
  new RookeryError('not_found', 'Not Found', { cause });

/** Returns the error with Mastodon's text for this endpoint. */
export const wordedFor = ({ method, path }: Endpoint, error: unknown): unknown =>
  isRookeryError(error) &&
  error.message === notFound().message &&
  CAUGHT.some((form) => form.test(`${method} ${path}`))
    ? caughtAbsence(error)
    : error;
