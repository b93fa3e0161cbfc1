import type { Endpoint } from '../../kernel/endpoint.ts';
import { isRookeryError, notFound, RookeryError } from '../../kernel/errors.ts';

/**
 * Mastodon has two texts for what is not there. These endpoints answer "Not Found", because they catch the absence themselves; all
 * others answer "Record not found".
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

/** Returns the error as Mastodon words it at this endpoint. */
export const wordedFor = ({ method, path }: Endpoint, error: unknown): unknown =>
  isRookeryError(error) &&
  error.message === notFound().message &&
  CAUGHT.some((form) => form.test(`${method} ${path}`))
    ? caughtAbsence(error)
    : error;
