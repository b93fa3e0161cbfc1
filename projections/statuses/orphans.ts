import { statement } from '#kernel/read.ts';

/**
 * SQL: the ready JSON of a status (`src/events/status-body.ts`) whose parent is deleted. The parent's author
 * stays, as in Mastodon. The member precedes all texts of users, so the first match is the right one.
 */
export const bodyWithoutParent = (body: string): string =>
  `regexp_replace(${body}, '"in_reply_to_id":"[0-9]+"', '"in_reply_to_id":null')`;

/**
 * Replies to deleted posts. The column keeps the id, so threads stay together, and the visibility of a reply
 * stays the same.
 */
export const ORPHAN = statement(
  'statuses_orphan',
  `update statuses set body = ${bodyWithoutParent('body')} where in_reply_to_id = any($1::bigint[])`,
);
