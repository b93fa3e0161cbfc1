import { statement } from '../../src/kernel/read.ts';

/**
 * An SQL expression: the ready JSON of a status (`src/events/status-body.ts`) whose parent is gone. The
 * answered account stays, as in Mastodon. The member precedes all texts of users, so the first match is it.
 */
export const bodyWithoutParent = (body: string): string =>
  `regexp_replace(${body}, '"in_reply_to_id":"[0-9]+"', '"in_reply_to_id":null')`;

/** Answers to posts that were deleted. The column keeps the id: threads are not torn, and who sees an answer stays the same. */
export const ORPHAN = statement(
  'statuses_orphan',
  `update statuses set body = ${bodyWithoutParent('body')} where in_reply_to_id = any($1::bigint[])`,
);
