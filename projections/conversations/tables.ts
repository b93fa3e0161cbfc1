import { reversedHost } from '#mastodon/host-name.ts';
import { DOMAIN_RULE_COLUMNS } from '../domain-rules.ts';
import { POLICY_COLUMNS } from '../notification-policy/verdict.ts';

/**
 * Positions are those of events and decide about the order, whatever ids say. `circle` is a digest of the
 * participants, because a very long list fits into no index.
 */
export const tables = {
  conversations: `
      account_id bigint,
      id bigint,
      thread_id bigint not null,
      circle text not null,
      participants bigint[] not null,
      last_status_id bigint,
      newest_status_id bigint not null,
      heard_position bigint,
      read_position bigint,
      removed_position bigint,
      marked_unread boolean not null default false,
      primary key (account_id, id),
      unique (account_id, thread_id, circle)`,
  conversation_messages: `
      status_id bigint,
      account_id bigint,
      conversation_id bigint not null,
      position bigint not null,
      own boolean not null,
      deleted boolean not null default false,
      primary key (status_id, account_id)`,
  /** Authors whose posts no longer reach a participant. */
  conversation_silences: `
      account_id bigint,
      target_account_id bigint,
      by_block boolean,
      expires_at timestamptz,
      primary key (account_id, target_account_id, by_block)`,
  /** Messages that the policy of their participant withholds: until their author is accepted, or forever. */
  conversation_withheld: `
      status_id bigint,
      account_id bigint,
      author_id bigint not null,
      position bigint not null,
      created_at timestamptz not null,
      thread_id bigint not null,
      circle text not null,
      participants text not null,
      dropped boolean not null,
      primary key (status_id, account_id)`,
  /** The facts for a verdict, as in the read model of notifications. */
  conversation_people: `
      account_id bigint primary key,${POLICY_COLUMNS}`,
  conversation_domain_rules: DOMAIN_RULE_COLUMNS,
  conversation_follows: `
      account_id bigint,
      target_account_id bigint,
      position bigint not null,
      primary key (account_id, target_account_id)`,
  conversation_permissions: `
      account_id bigint,
      from_account_id bigint,
      primary key (account_id, from_account_id)`,
  /** The accounts that direct posts mention. */
  conversation_mentions: `
      status_id bigint,
      account_id bigint,
      author_id bigint not null,
      conversation_id bigint not null,
      position bigint not null,
      primary key (status_id, account_id)`,
};

export const handlerIndexes = [
  'create index conversation_messages_of on conversation_messages (account_id, conversation_id, status_id desc)',
  `create index conversations_of_account on conversations (account_id, last_status_id desc)
       where last_status_id is not null`,
  `create index conversation_people_domain on conversation_people ((${reversedHost('domain')})) where domain is not null`,
  'create index conversation_withheld_from on conversation_withheld (account_id, author_id)',
  'create index conversation_mentions_in on conversation_mentions (conversation_id, author_id, account_id)',
];
