import { bigint, bigints, boolean, table, tablesOf, text, timestamptz } from '#kernel/table/index.ts';
import { reversedHost } from '#mastodon/host-name.ts';
import { domainRuleTable } from '../domain-rules.ts';
import { POLICY_COLUMNS } from '../notification-policy/verdict.ts';

/**
 * Positions are those of events and decide about the order, whatever ids say. `circle` is a digest of the
 * participants, because a very long list fits into no index.
 */
export const CONVERSATIONS = table(
  'conversations',
  {
    account_id: bigint,
    id: bigint,
    thread_id: bigint,
    circle: text,
    participants: bigints,
    last_status_id: bigint.orNull,
    newest_status_id: bigint,
    heard_position: bigint.orNull,
    read_position: bigint.orNull,
    removed_position: bigint.nullAtFirst,
    marked_unread: boolean.defaultsTo('false'),
  },
  ['account_id', 'id'],
  ['account_id', 'thread_id', 'circle'],
);
export const MESSAGES = table(
  'conversation_messages',
  {
    status_id: bigint,
    account_id: bigint,
    conversation_id: bigint,
    position: bigint,
    own: boolean,
    deleted: boolean.defaultsTo('false'),
  },
  ['status_id', 'account_id'],
);
/** Authors whose posts no longer reach a participant. */
export const SILENCES = table(
  'conversation_silences',
  { account_id: bigint, target_account_id: bigint, by_block: boolean, expires_at: timestamptz.orNull },
  ['account_id', 'target_account_id', 'by_block'],
);
/** Messages that the policy of their participant withholds: until their author is accepted, or forever. */
export const WITHHELD = table(
  'conversation_withheld',
  {
    status_id: bigint,
    account_id: bigint,
    author_id: bigint,
    position: bigint,
    created_at: timestamptz,
    thread_id: bigint,
    circle: text,
    participants: text,
    dropped: boolean,
  },
  ['status_id', 'account_id'],
);
/** The facts for a verdict, as in the read model of notifications. */
export const PEOPLE = table('conversation_people', { account_id: bigint, ...POLICY_COLUMNS }, ['account_id']);
export const FOLLOWS = table(
  'conversation_follows',
  { account_id: bigint, target_account_id: bigint, position: bigint },
  ['account_id', 'target_account_id'],
);
export const PERMISSIONS = table(
  'conversation_permissions',
  { account_id: bigint, from_account_id: bigint },
  ['account_id', 'from_account_id'],
);
/** The accounts that direct posts mention. */
export const MENTIONS = table(
  'conversation_mentions',
  { status_id: bigint, account_id: bigint, author_id: bigint, conversation_id: bigint, position: bigint },
  ['status_id', 'account_id'],
);

export const tables = tablesOf(
  CONVERSATIONS,
  MESSAGES,
  SILENCES,
  WITHHELD,
  PEOPLE,
  domainRuleTable('conversation_domain_rules'),
  FOLLOWS,
  PERMISSIONS,
  MENTIONS,
);

export const handlerIndexes = [
  'create index conversation_messages_of on conversation_messages (account_id, conversation_id, status_id desc)',
  `create index conversations_of_account on conversations (account_id, last_status_id desc)
       where last_status_id is not null`,
  `create index conversation_people_domain on conversation_people ((${reversedHost('domain')})) where domain is not null`,
  'create index conversation_withheld_from on conversation_withheld (account_id, author_id)',
  'create index conversation_mentions_in on conversation_mentions (conversation_id, author_id, account_id)',
];
