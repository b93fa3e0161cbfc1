import { reversedHost } from '../../src/mastodon/host-name.ts';
import { DOMAIN_RULE_COLUMNS } from '../domain-rules.ts';
import { POLICY_COLUMNS } from '../notification-policy/verdict.ts';

/**
 * Table name to column list. `position` is that of the event: what arrives in one run with others is judged by what was
 * before it alone.
 */
export const tables = {
  /**
   * `status_id` is 0 for what is about no status, so that one index serves both kinds. `span` is the hour, since 1970, in which the
   * group begins; null for types that are not grouped.
   */
  notifications: `
      account_id bigint,
      id bigint,
      type text collate "C" not null,
      from_account_id bigint not null,
      status_id bigint not null,
      created_at timestamptz not null,
      filtered boolean not null,
      span integer,
      primary key (account_id, id)`,
  /** The newest group of one type about one status: the hour, since 1970, in which it begins. */
  notification_spans: `
      account_id bigint,
      type text collate "C",
      status_id bigint,
      span integer not null,
      primary key (account_id, type, status_id)`,
  /** Whose notifications were filtered and wait for an answer; `id` and `created_at` are those of the first. */
  notification_requests: `
      account_id bigint,
      from_account_id bigint,
      id bigint not null,
      created_at timestamptz not null,
      primary key (account_id, from_account_id)`,
  /** From whom nothing is filtered any more. */
  notification_permissions: `
      account_id bigint,
      from_account_id bigint,
      primary key (account_id, from_account_id)`,
  /** What a decision needs to know of accounts. The policy holds for those of this server. */
  notification_people: `
      account_id bigint primary key,
      local boolean not null,
      staff boolean not null default false,${POLICY_COLUMNS}`,
  notification_domain_rules: DOMAIN_RULE_COLUMNS,
  notification_follows: `
      account_id bigint,
      target_account_id bigint,
      notify boolean not null,
      languages text[],
      position bigint not null,
      primary key (account_id, target_account_id)`,
  /** Who was told of which post; `conversation_id` is set for private mentions alone. */
  notification_mentions: `
      status_id bigint,
      account_id bigint,
      author_id bigint not null,
      conversation_id bigint,
      position bigint not null,
      primary key (status_id, account_id)`,
  /** Posts of ours that quote another. */
  notification_quotes: `
      quoted_id bigint,
      status_id bigint,
      account_id bigint not null,
      primary key (quoted_id, status_id)`,
  /** Who of ours reblogged what. */
  notification_reblogs: `
      status_id bigint,
      account_id bigint,
      primary key (status_id, account_id)`,
  /** Who of ours is in which collection; `id` is that of the item, and of what he was told of it. */
  notification_collections: `
      collection_id bigint,
      account_id bigint,
      id bigint not null,
      primary key (collection_id, account_id)`,
  /** Of which change those in a collection were told last. */
  notification_collection_updates: `
      collection_id bigint primary key,
      id bigint not null`,
  /** Of polls that are open. */
  notification_voters: `
      poll_id bigint,
      account_id bigint,
      primary key (poll_id, account_id)`,
};

/** Handlers use all of them: what is told is also taken back. */
export const handlerIndexes = [
  'create index notifications_from on notifications (account_id, from_account_id, id)',
  'create index notifications_group on notifications (account_id, type, status_id, id)',
  'create index notifications_status on notifications (status_id, from_account_id)',
  'create unique index notification_requests_id on notification_requests (account_id, id)',
  `create index notification_people_domain on notification_people ((${reversedHost('domain')})) where domain is not null`,
  'create index notification_people_staff on notification_people (account_id) where staff',
  'create index notification_follows_notify on notification_follows (target_account_id) where notify',
  `create index notification_mentions_private on notification_mentions (conversation_id, author_id, account_id)
   where conversation_id is not null`,
  'create index notification_quotes_status on notification_quotes (status_id)',
];

/** What is told of is found by what is told. */
export const indexes = [
  'create unique index notification_collection_updates_id on notification_collection_updates (id)',
];
