import { statement } from '#kernel/read.ts';

/**
 * SQL: the content of a local post (a JSON string) without the line that links to the quoted post. As in
 * Mastodon, the line is removed when the quoted post is deleted. Texts of users are escaped, so they cannot
 * look like the line.
 */
const withoutQuoteLine = (content: string): string =>
  String.raw`regexp_replace(${content}, '^"<p class=\\"quote-inline\\">RE: .*?</p>', '"')`;

/** SQL: a content for the post `s`, which may quote a post that has been deleted in the meantime. */
export const contentWritten = (content: string): string =>
  `case when s.local and exists (select from statuses quoted where quoted.id = s.quote_id and quoted.deleted)
     then ${withoutQuoteLine(content)} else ${content} end`;

/** Local posts that quote one of these deleted posts. */
export const UNLINK_QUOTED = statement(
  'statuses_unlink_quoted',
  `update statuses set content = ${withoutQuoteLine('content')}
   where quote_id = any($1::bigint[]) and local and reblog_of_id is null`,
);
/** Earlier versions of these posts. */
export const UNLINK_QUOTED_EDITS = statement(
  'status_edits_unlink_quoted',
  `update status_edits e set content = ${withoutQuoteLine('e.content')}
   from statuses s where s.quote_id = any($1::bigint[]) and s.local and s.reblog_of_id is null and e.status_id = s.id`,
);
