import { bigint, boolean, integer, table, tablesOf, textC, texts, timestamptz } from '#kernel/table/index.ts';
import { reversedHost } from '#mastodon/host-name.ts';
import { domainRuleTable } from '../domain-rules.ts';
import { POLICY_COLUMNS } from '../notification-policy/verdict.ts';

const PAIR = { account_id: bigint, from_account_id: bigint };

export const NOTIFICATIONS = table(
  'notifications',
  {
    account_id: bigint,
    id: bigint,
    type: textC,
    from_account_id: bigint,
    /** 0 for a notification without a status, so that one index serves both kinds. */
    status_id: bigint,
    created_at: timestamptz,
    filtered: boolean,
    /** The hour, since 1970, in which the group begins; null for types that are not grouped. */
    span: integer.orNull,
  },
  ['account_id', 'id'],
);
/** The newest group of one type about one status: the hour, since 1970, in which it begins. */
export const SPANS = table(
  'notification_spans',
  { account_id: bigint, type: textC, status_id: bigint, span: integer },
  ['account_id', 'type', 'status_id'],
);
/**
 * Accounts whose notifications were filtered and wait for a decision; `id` and `created_at` are those of
 * the first.
 */
export const REQUESTS = table('notification_requests', { ...PAIR, id: bigint, created_at: timestamptz }, [
  'account_id',
  'from_account_id',
]);
/** Accounts whose notifications are never filtered. */
export const PERMISSIONS = table('notification_permissions', PAIR, ['account_id', 'from_account_id']);
/** The facts about accounts for a verdict. Local accounts have a policy. */
export const PEOPLE = table(
  'notification_people',
  { account_id: bigint, local: boolean, staff: boolean.defaultsTo('false'), ...POLICY_COLUMNS },
  ['account_id'],
);
/** `position` is that of the event: the verdict about an arrival considers only earlier events, also within one run. */
export const FOLLOWS = table(
  'notification_follows',
  {
    account_id: bigint,
    target_account_id: bigint,
    notify: boolean,
    languages: texts.orNull,
    position: bigint,
  },
  ['account_id', 'target_account_id'],
);
/** The accounts notified of a post; `conversation_id` is set for private mentions only. */
export const MENTIONS = table(
  'notification_mentions',
  {
    status_id: bigint,
    account_id: bigint,
    author_id: bigint,
    conversation_id: bigint.orNull,
    position: bigint,
  },
  ['status_id', 'account_id'],
);
/** Local posts that quote another. */
export const QUOTES = table(
  'notification_quotes',
  { quoted_id: bigint, status_id: bigint, account_id: bigint },
  ['quoted_id', 'status_id'],
);
/** Local reblogs. */
export const REBLOGS = table('notification_reblogs', { status_id: bigint, account_id: bigint }, [
  'status_id',
  'account_id',
]);
/** Local accounts in collections; `id` is that of the item, and of the notification. */
export const COLLECTIONS = table(
  'notification_collections',
  { collection_id: bigint, account_id: bigint, id: bigint },
  ['collection_id', 'account_id'],
);
/** The last change of a collection that its members were notified of. */
const COLLECTION_UPDATES = table('notification_collection_updates', { collection_id: bigint, id: bigint }, [
  'collection_id',
]);
/** The voters of open polls. */
export const VOTERS = table('notification_voters', { poll_id: bigint, account_id: bigint }, [
  'poll_id',
  'account_id',
]);

export const tables = tablesOf(
  NOTIFICATIONS,
  SPANS,
  REQUESTS,
  PERMISSIONS,
  PEOPLE,
  domainRuleTable('notification_domain_rules'),
  FOLLOWS,
  MENTIONS,
  QUOTES,
  REBLOGS,
  COLLECTIONS,
  COLLECTION_UPDATES,
  VOTERS,
);

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
