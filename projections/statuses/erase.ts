import { statement } from '#kernel/read.ts';

const time = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The output of `statusBody` for a post `s` without content: staff still find it in reports. */
const EMPTY_BODY = `(select substring(b.body from 2 for length(b.body) - 2) from (select json_build_object(
     'id', s.id::text, 'created_at', ${time('s.created_at')}, 'in_reply_to_id', s.in_reply_to_id::text,
     'in_reply_to_account_id', s.in_reply_to_account_id::text, 'sensitive', s.sensitive, 'spoiler_text', '',
     'visibility', s.visibility, 'language', s.language, 'uri', s.uri, 'url', s.url, 'application', null,
     'mentions', '[]'::json, 'edited_at', ${time('s.edited_at')}, 'tags', '[]'::json,
     'media_attachments', '[]'::json)::text as body) b)`;

/** Empties the posts of erased users. They were deleted before; in a rebuild, they were always empty. */
export const ERASE = statement(
  'statuses_erase',
  `update statuses s set text = null, spoiler_text = '', content = '""', body = ${EMPTY_BODY}, plain = '', media = null,
     poll = null, poll_id = null, emojis = null, card = null, card_author_id = null
   where s.account_id = any($1::bigint[]) and s.deleted and s.reblog_of_id is null`,
);
export const ERASE_TAGS = statement(
  'status_tags_erase',
  `delete from status_tags t using statuses s
   where s.account_id = any($1::bigint[]) and s.deleted and s.reblog_of_id is null and t.status_id = s.id`,
);
export const ERASE_EDITS = statement(
  'status_edits_erase',
  `update status_edits e set content = '""', spoiler_text = '', media = null, poll = null, emojis = null
   from statuses s
   where s.account_id = any($1::bigint[]) and s.deleted and s.reblog_of_id is null and e.status_id = s.id`,
);
