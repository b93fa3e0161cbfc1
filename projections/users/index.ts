import {
  AccountSuspended,
  AccountUnsuspended,
  UserActive,
  UserApproved,
  UserConfirmed,
  UserDisabled,
  UserEmailChanged,
  UserEnabled,
  UserRegistered,
  UserRoleChanged,
} from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { UserRejected } from '#events/moderation.ts';
import { AccountMoveCancelled, AccountMoved } from '#events/moves.ts';
import type { EventDefinition } from '#kernel/event.ts';
import { type BoundHandler, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { type Statement, statement } from '#kernel/read.ts';
import { preferencesHandler } from './preferences.ts';

/** Changes rows of `users` and, with the same commit, tells every process to drop cached callers. */
const announced = (name: string, update: string): Statement =>
  statement(
    name,
    `with changed as (${update} returning u.account_id)
     select pg_notify('rookery_auth', account_id::text) from changed`,
  );

const INSERT = statement(
  'users_insert',
  `insert into users (account_id, email, locale, role, confirmed, approved, reason, sign_up_ip,
     created_by_application_id, created_at)
   select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bool[], $6::bool[], $7::text[],
     $8::text[], $9::bigint[], $10::timestamptz[])`,
);
const CONFIRM = announced(
  'users_confirm',
  `update users u set email = n.email, confirmed = true
   from unnest($1::bigint[], $2::text[]) as n (account_id, email) where u.account_id = n.account_id`,
);
const CHANGE_EMAIL = announced(
  'users_change_email',
  `update users u set email = n.email, confirmed = n.confirmed
   from unnest($1::bigint[], $2::text[], $3::bool[]) as n (account_id, email, confirmed)
   where u.account_id = n.account_id`,
);
const CHANGE_ROLE = announced(
  'users_change_role',
  `update users u set role = n.role
   from unnest($1::bigint[], $2::text[]) as n (account_id, role) where u.account_id = n.account_id`,
);
const MARK_ACTIVE = statement(
  'users_mark_active',
  `update users u set last_active_on = greatest(u.last_active_on, n.date)
   from unnest($1::bigint[], $2::date[]) as n (account_id, date) where u.account_id = n.account_id`,
);

const FORGET = announced('users_delete', 'delete from users u where u.account_id = any($1::bigint[])');

/** Returns a handler that sets one flag of users. */
const sets = <Type extends string, Data extends { account_id: string }>(
  definition: EventDefinition<Type, Data>,
  flag: 'approved' | 'disabled' | 'suspended' | 'moved',
  value: boolean,
): BoundHandler => {
  const update = announced(
    `users_${flag}_${value}`,
    `update users u set ${flag} = ${value} where u.account_id = any($1::bigint[])`,
  );
  return on(definition, {
    keys: ({ data }) => [data.account_id],
    apply: async (events, db) => {
      await db.query(update, [events.map(({ data }) => data.account_id)]);
    },
  });
};

/** The users behind local accounts: their sign-in, and their preferences. */
export const users: Projection = {
  name: 'users',
  version: 8,
  group: MAIN,
  tables: {
    users: `
      account_id bigint primary key,
      email text not null,
      locale text not null,
      role text,
      confirmed boolean not null,
      approved boolean not null,
      disabled boolean not null default false,
      suspended boolean not null default false,
      moved boolean not null default false,
      reason text,
      sign_up_ip text,
      created_by_application_id bigint,
      created_at timestamptz not null,
      privacy text,
      sensitive boolean not null default false,
      language text,
      quote_policy text not null default 'public',
      expand_media text not null default 'default',
      expand_spoilers boolean not null default false,
      aggregate_reblogs boolean not null default true,
      autoplay_gifs boolean not null default false,
      last_active_on date`,
  },
  indexes: [
    'create index users_email on users (lower(email))',
    'create index users_email_prefix on users (lower(email) collate "C")',
    'create index users_sign_up_ip on users (sign_up_ip)',
    'create index users_pending on users (account_id) where not approved',
  ],
  handlers: [
    on(UserRegistered, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(INSERT, [
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.email),
          events.map(({ data }) => data.locale),
          events.map(({ data }) => data.role),
          events.map(({ data }) => data.confirmed),
          events.map(({ data }) => data.approved),
          events.map(({ data }) => data.reason),
          events.map(({ data }) => data.sign_up_ip),
          events.map(({ data }) => data.application_id),
          events.map(({ metadata }) => metadata.time),
        ]);
      },
    }),
    on(UserConfirmed, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(CONFIRM, [
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.email),
        ]);
      },
    }),
    on(UserEmailChanged, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(CHANGE_EMAIL, [
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.email),
          events.map(({ data }) => data.confirmed),
        ]);
      },
    }),
    on(UserRoleChanged, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(CHANGE_ROLE, [
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.role),
        ]);
      },
    }),
    sets(UserApproved, 'approved', true),
    sets(UserDisabled, 'disabled', true),
    sets(UserEnabled, 'disabled', false),
    sets(AccountSuspended, 'suspended', true),
    sets(AccountUnsuspended, 'suspended', false),
    sets(AccountMoved, 'moved', true),
    sets(AccountMoveCancelled, 'moved', false),
    on(UserRejected, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(FORGET, [events.map(({ data }) => data.account_id)]);
      },
    }),
    preferencesHandler,
    on(UserActive, {
      keys: ({ data }) => [data.account_id],
      apply: async (events, db) => {
        await db.query(MARK_ACTIVE, [
          events.map(({ data }) => data.account_id),
          events.map(({ data }) => data.date),
        ]);
      },
    }),
    onAccounts(PersonalDataErased, FORGET),
  ],
};
