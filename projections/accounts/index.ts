import {
  AccountCreated,
  AccountUpdated,
  emptyProfile,
  type Profile,
  profileSchema,
} from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { UserRejected } from '#events/moderation.ts';
import { AccountMoveCancelled, AccountMoved } from '#events/moves.ts';
import { AccountLinkVerified, withVerified } from '#events/verified-links.ts';
import { columns, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { reversedHost } from '#mastodon/host-name.ts';
import { DOMAIN_RULE_COLUMNS } from '../domain-rules.ts';
import { accountBody, acctKeyOf } from './body.ts';
import { counterHandlers } from './counter-handlers.ts';
import { accountDomainRules } from './domain-rules.ts';
import { flagHandlers } from './flags.ts';
import { FORGET, namesHandlers } from './names.ts';
import { changeProfiles, setFlags } from './rewrite.ts';

const profileKeys = Object.keys(profileSchema.shape) as (keyof Profile)[];

const INSERT = statement(
  'accounts_insert',
  `insert into accounts (id, username, domain, acct_key, uri, url, created_at, profile, body)
   select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                        $7::timestamptz[], $8::text[], $9::text[])`,
);
const MOVE = statement(
  'accounts_move',
  `update accounts a set moved_to = n.moved_to, moved_with_followers = n.with_followers
   from unnest($1::bigint[], $2::bigint[], $3::bool[]) as n (id, moved_to, with_followers) where a.id = n.id`,
);

const ERASE = statement(
  'accounts_erase',
  `with stats as (delete from account_stats where account_id = any($1::bigint[]))
   update accounts set role = null, moved_to = null, moved_with_followers = false where id = any($1::bigint[])`,
);

/** Accounts as everyone sees them, with their counters. */
export const accounts: Projection = {
  name: 'accounts',
  version: 24,
  group: MAIN,
  tables: {
    accounts: `
      id bigint primary key,
      username text not null,
      domain text,
      acct_key text collate "C" not null,
      invalid_handle boolean not null default false,
      uri text not null,
      url text not null,
      created_at timestamptz not null,
      profile text not null,
      body text not null,
      role text,
      display_name text not null default '',
      locked boolean not null default false,
      bot boolean not null default false,
      discoverable boolean,
      indexable boolean not null default false,
      hide_collections boolean,
      suspended_alone boolean not null default false,
      suspended_there boolean not null default false,
      gone boolean not null default false,
      erased boolean not null default false,
      silenced_alone boolean not null default false,
      domain_severity text,
      media_rejected boolean not null default false,
      suspended boolean not null generated always as
        (suspended_alone or suspended_there or gone or domain_severity is not distinct from 'suspend') stored,
      silenced boolean not null generated always as
        (silenced_alone or domain_severity is not distinct from 'silence') stored,
      sensitized boolean not null default false,
      moved_to bigint,
      moved_with_followers boolean not null default false`,
    account_domain_rules: DOMAIN_RULE_COLUMNS,
    account_stats: `
      account_id bigint primary key,
      followers_count integer not null,
      following_count integer not null,
      statuses_count integer not null,
      last_status_at date,
      followers_elsewhere integer not null default 0,
      following_elsewhere integer not null default 0,
      statuses_elsewhere integer not null default 0`,
    account_reblogs: `
      status_id bigint,
      account_id bigint,
      primary key (status_id, account_id)`,
  },
  handlerIndexes: [
    `create index accounts_domain on accounts ((${reversedHost('domain')})) where domain is not null`,
  ],
  indexes: [
    'create unique index accounts_acct on accounts (acct_key)',
    'create index accounts_uri on accounts using hash (uri)',
    'create index accounts_url on accounts using hash (url)',
    'create index accounts_moved on accounts (moved_to) where moved_to is not null',
    'create index accounts_discoverable on accounts (id desc) where discoverable',
  ],
  handlers: [
    on(AccountCreated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const rows = events.map(({ data }) => ({ identity: data, profile: pickProfile(data) }));
        await db.query(INSERT, [
          rows.map(({ identity }) => identity.id),
          rows.map(({ identity }) => identity.username),
          rows.map(({ identity }) => identity.domain),
          rows.map(({ identity }) => acctKeyOf(identity)),
          rows.map(({ identity }) => identity.uri),
          rows.map(({ identity }) => identity.url),
          rows.map(({ identity }) => identity.created_at),
          rows.map(({ profile }) => JSON.stringify(profile)),
          rows.map(({ identity, profile }) => accountBody({ ...identity, role: null }, profile)),
        ]);
        await setFlags(rows, db);
        const remote = rows.filter(({ identity }) => identity.domain !== null);
        await accountDomainRules.apply(
          remote.map(({ identity }) => identity.id),
          db,
        );
      },
    }),
    on(AccountUpdated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const changes = events.map(
          ({ data }) =>
            [
              data.id,
              (before: Profile) => ({ ...before, ...pickProfile(data as Partial<Profile>) }),
            ] as const,
        );
        await changeProfiles(new Map(changes), db);
      },
    }),
    on(AccountLinkVerified, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        const verify = events.map(
          ({ data }) =>
            [
              data.account_id,
              (before: Profile) => ({ ...before, fields: withVerified(before.fields, data) }),
            ] as const,
        );
        await changeProfiles(new Map(verify), db);
      },
    }),
    ...flagHandlers,
    ...accountDomainRules.handlers,
    // Barriers: another account with that name may follow.
    onAccounts(UserRejected, FORGET),
    ...namesHandlers,
    // A barrier for its counters. The account itself stays, because its name stays taken and its posts may
    // have replies.
    on(PersonalDataErased, {
      apply: async (events, db) => {
        const ids = events.map(({ data }) => data.account_id);
        await db.query(ERASE, [ids]);
        await changeProfiles(new Map(ids.map((id) => [id, () => emptyProfile])), db);
      },
    }),
    on(AccountMoved, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(MOVE, columns(events, 'account_id', 'target_account_id', 'with_followers'));
      },
    }),
    on(AccountMoveCancelled, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(MOVE, [
          ...columns(events, 'account_id'),
          events.map(() => null),
          events.map(() => false),
        ]);
      },
    }),
    ...counterHandlers,
  ],
};

function pickProfile(data: Partial<Profile>): Profile {
  const present = profileKeys.filter((key) => data[key] !== undefined);
  return Object.fromEntries(present.map((key) => [key, data[key]])) as Profile;
}
