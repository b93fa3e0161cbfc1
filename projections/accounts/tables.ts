import type { Profile } from '#events/accounts.ts';
import {
  bigint,
  boolean,
  date,
  integer,
  jsonText,
  table,
  text,
  textC,
  timestamptz,
} from '#kernel/table/index.ts';

export const ACCOUNTS = table(
  'accounts',
  {
    id: bigint,
    username: text,
    domain: text.orNull,
    acct_key: textC,
    invalid_handle: boolean.defaultsTo('false'),
    uri: text,
    url: text,
    created_at: timestamptz,
    profile: jsonText<Profile>(),
    body: text,
    role: text.nullAtFirst,
    display_name: text.defaultsTo("''"),
    locked: boolean.defaultsTo('false'),
    bot: boolean.defaultsTo('false'),
    discoverable: boolean.nullAtFirst,
    indexable: boolean.defaultsTo('false'),
    hide_collections: boolean.nullAtFirst,
    suspended_alone: boolean.defaultsTo('false'),
    suspended_there: boolean.defaultsTo('false'),
    gone: boolean.defaultsTo('false'),
    erased: boolean.defaultsTo('false'),
    silenced_alone: boolean.defaultsTo('false'),
    domain_severity: text.nullAtFirst,
    media_rejected: boolean.defaultsTo('false'),
    suspended: boolean.generatedAs(
      "suspended_alone or suspended_there or gone or domain_severity is not distinct from 'suspend'",
    ),
    silenced: boolean.generatedAs("silenced_alone or domain_severity is not distinct from 'silence'"),
    sensitized: boolean.defaultsTo('false'),
    moved_to: bigint.nullAtFirst,
    moved_with_followers: boolean.defaultsTo('false'),
  },
  ['id'],
);
export const STATS = table(
  'account_stats',
  {
    account_id: bigint,
    followers_count: integer,
    following_count: integer,
    statuses_count: integer,
    last_status_at: date.orNull,
    followers_elsewhere: integer.defaultsTo('0'),
    following_elsewhere: integer.defaultsTo('0'),
    statuses_elsewhere: integer.defaultsTo('0'),
  },
  ['account_id'],
);
export const REBLOGS = table('account_reblogs', { status_id: bigint, account_id: bigint }, [
  'status_id',
  'account_id',
]);
