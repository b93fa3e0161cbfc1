/** Table name to column list. */
export const tables = {
  statuses: `
      id bigint primary key,
      account_id bigint not null,
      local boolean not null,
      visibility text not null,
      created_at timestamptz not null,
      edited_at timestamptz,
      in_reply_to_id bigint,
      in_reply_to_account_id bigint,
      in_reply_to_uri text,
      conversation_id bigint not null,
      reblog_of_id bigint,
      quote_id bigint,
      quote_state text,
      quote_policy text not null,
      poll_id bigint,
      language text,
      uri text not null,
      url text,
      sensitive boolean not null,
      text text,
      spoiler_text text not null,
      content text not null,
      body text not null,
      plain text not null,
      media text,
      poll text,
      emojis text,
      card text,
      card_author_id bigint,
      deleted boolean not null default false`,
  /** Threads that turned out to be parts of others. */
  joined_threads: `
      id bigint primary key,
      conversation_id bigint not null`,
  status_edits: `
      status_id bigint,
      edit_id bigint,
      created_at timestamptz not null,
      content text not null,
      spoiler_text text not null,
      sensitive boolean not null,
      media text,
      poll text,
      emojis text,
      primary key (status_id, edit_id)`,
  status_tags: `
      tag text collate "C",
      status_id bigint,
      account_id bigint not null,
      primary key (tag, status_id)`,
  status_mentions: `
      account_id bigint,
      status_id bigint,
      primary key (status_id, account_id)`,
  status_pins: `
      status_id bigint primary key,
      account_id bigint not null,
      pin_id bigint not null`,
  /** The authorizations that quoting posts name. */
  quote_authorizations: `
      status_id bigint primary key,
      uri text not null`,
  status_stats: `
      status_id bigint primary key,
      replies_count integer not null default 0,
      reblogs_count integer not null default 0,
      favourites_count integer not null default 0,
      quotes_count integer not null default 0`,
};

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
