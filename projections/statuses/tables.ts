import { bigint, boolean, integer, table, tablesOf, text, textC, timestamptz } from '#kernel/table/index.ts';

export const STATUSES = table(
  'statuses',
  {
    id: bigint,
    account_id: bigint,
    local: boolean,
    visibility: text,
    created_at: timestamptz,
    edited_at: timestamptz.orNull,
    in_reply_to_id: bigint.orNull,
    in_reply_to_account_id: bigint.orNull,
    in_reply_to_uri: text.orNull,
    conversation_id: bigint,
    reblog_of_id: bigint.nullAtFirst,
    quote_id: bigint.orNull,
    quote_state: text.orNull,
    quote_policy: text,
    poll_id: bigint.orNull,
    language: text.orNull,
    uri: text,
    url: text.orNull,
    sensitive: boolean,
    text: text.orNull,
    spoiler_text: text,
    content: text,
    body: text,
    plain: text,
    media: text.orNull,
    poll: text.orNull,
    emojis: text.orNull,
    card: text.nullAtFirst,
    card_author_id: bigint.nullAtFirst,
    deleted: boolean.defaultsTo('false'),
  },
  ['id'],
);
/** Threads that turned out to be parts of others. */
const JOINED_THREADS = table('joined_threads', { id: bigint, conversation_id: bigint }, ['id']);
export const EDITS = table(
  'status_edits',
  {
    status_id: bigint,
    edit_id: bigint,
    created_at: timestamptz,
    content: text,
    spoiler_text: text,
    sensitive: boolean,
    media: text.orNull,
    poll: text.orNull,
    emojis: text.orNull,
  },
  ['status_id', 'edit_id'],
);
export const TAGS = table('status_tags', { tag: textC, status_id: bigint, account_id: bigint }, [
  'tag',
  'status_id',
]);
export const MENTIONS = table('status_mentions', { account_id: bigint, status_id: bigint }, [
  'status_id',
  'account_id',
]);
export const PINS = table('status_pins', { status_id: bigint, account_id: bigint, pin_id: bigint }, [
  'status_id',
]);
/** The authorizations that quoting posts name. */
export const AUTHORIZATIONS = table('quote_authorizations', { status_id: bigint, uri: text }, ['status_id']);
export const STATS = table(
  'status_stats',
  {
    status_id: bigint,
    replies_count: integer.defaultsTo('0'),
    reblogs_count: integer.defaultsTo('0'),
    favourites_count: integer.defaultsTo('0'),
    quotes_count: integer.defaultsTo('0'),
  },
  ['status_id'],
);

export const tables = tablesOf(STATUSES, JOINED_THREADS, EDITS, TAGS, MENTIONS, PINS, AUTHORIZATIONS, STATS);

export const handlerIndexes = [
  'create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null',
  'create index statuses_quotes on statuses (quote_id, id desc) where quote_id is not null',
  'create index joined_threads_into on joined_threads (conversation_id)',
  'create index status_tags_status on status_tags (status_id)',
  'create index statuses_deleted on statuses (account_id) where deleted',
];

export const indexes = [
  'create index statuses_account on statuses (account_id, id desc) where not deleted',
  `create index statuses_public on statuses (local, id desc)
       where visibility = 'public' and reblog_of_id is null and not deleted`,
  // On many servers, and for many users, few posts have media.
  'create index statuses_account_media on statuses (account_id, id desc) where not deleted and media is not null',
  `create index statuses_public_media on statuses (local, id desc)
       where visibility = 'public' and reblog_of_id is null and not deleted and media is not null`,
  'create index statuses_uri on statuses using hash (uri) where not local',
  'create index statuses_url on statuses using hash (url) where not local',
  'create index statuses_awaiting on statuses using hash (in_reply_to_uri) where in_reply_to_uri is not null',
  // An account may use a hashtag rarely, and others often.
  'create index status_tags_account on status_tags (account_id, tag, status_id)',
  'create index status_mentions_account on status_mentions (account_id, status_id)',
  'create index quote_authorizations_uri on quote_authorizations using hash (uri)',
  'create index status_pins_account on status_pins (account_id, pin_id desc)',
];
