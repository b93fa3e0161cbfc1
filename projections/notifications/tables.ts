import { reversedHost } from '#mastodon/host-name.ts';
import { DOMAIN_RULE_COLUMNS } from '../domain-rules.ts';
import { POLICY_COLUMNS } from '../notification-policy/verdict.ts';

/**
 * Table name to column list. `position` is that of the event: the verdict about an arrival considers only
 * earlier events, also within one run.
 */
export const tables = {
  /**
   * `status_id` is 0 for a notification without a status, so that one index serves both kinds. `span` is the
   * hour, since 1970, in which the group begins; null for types that are not grouped.
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
  /**
   * Accounts whose notifications were filtered and wait for a decision; `id` and `created_at` are those of
   * the first.
   */
  notification_requests: `
      account_id bigint,
      from_account_id bigint,
      id bigint not null,
      created_at timestamptz not null,
      primary key (account_id, from_account_id)`,
  /** Accounts whose notifications are never filtered. */
  notification_permissions: `
      account_id bigint,
      from_account_id bigint,
      primary key (account_id, from_account_id)`,
  /** The facts about accounts for a verdict. Local accounts have a policy. */
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
  /** The accounts notified of a post; `conversation_id` is set for private mentions only. */
  notification_mentions: `
      status_id bigint,
      account_id bigint,
      author_id bigint not null,
      conversation_id bigint,
      position bigint not null,
      primary key (status_id, account_id)`,
  /** Local posts that quote another. */
  notification_quotes: `
      quoted_id bigint,
      status_id bigint,
      account_id bigint not null,
      primary key (quoted_id, status_id)`,
  /** Local reblogs. */
  notification_reblogs: `
      status_id bigint,
      account_id bigint,
      primary key (status_id, account_id)`,
  /** Local accounts in collections; `id` is that of the item, and of the notification. */
  notification_collections: `
      collection_id bigint,
      account_id bigint,
      id bigint not null,
      primary key (collection_id, account_id)`,
  /** The last change of a collection that its members were notified of. */
  notification_collection_updates: `
      collection_id bigint primary key,
      id bigint not null`,
  /** The voters of open polls. */
  notification_voters: `
      poll_id bigint,
      account_id bigint,
      primary key (poll_id, account_id)`,
};

/** All handlers use them, because notifications are also removed. */
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

/** Notifications are found by their object. */
export const indexes = [
  'create unique index notification_collection_updates_id on notification_collection_updates (id)',
];
