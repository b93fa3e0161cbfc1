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
import { type BoundHandler, columns, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { batch, bigint, boolean, date, tablesOf, text } from '#kernel/table/index.ts';
import { preferencesHandler } from './preferences.ts';
import { USERS } from './table.ts';

/** SQL of a change of `users u` that, with the same commit, tells every process to drop cached callers. */
const announced = (update: string): string =>
  `with changed as (${update} returning u.account_id)
     select pg_notify('rookery_auth', account_id::text) from changed`;

const CONFIRM = batch('users_confirm', { account_id: bigint, email: text }, (rows) =>
  announced(`update users u set email = n.email, confirmed = true
   from ${rows} where u.account_id = n.account_id`),
);
const CHANGE_EMAIL = batch(
  'users_change_email',
  { account_id: bigint, email: text, confirmed: boolean },
  (rows) =>
    announced(`update users u set email = n.email, confirmed = n.confirmed
   from ${rows} where u.account_id = n.account_id`),
);
const CHANGE_ROLE = batch('users_change_role', { account_id: bigint, role: text.orNull }, (rows) =>
  announced(`update users u set role = n.role from ${rows} where u.account_id = n.account_id`),
);
const MARK_ACTIVE = batch(
  'users_mark_active',
  { account_id: bigint, date },
  (rows) => `update users u set last_active_on = greatest(u.last_active_on, n.date)
   from ${rows} where u.account_id = n.account_id`,
);
const FORGET = statement(
  'users_delete',
  announced('delete from users u where u.account_id = any($1::bigint[])'),
);

const keys = ({ data }: { data: { account_id: string } }): string[] => [data.account_id];

/** Returns a handler that sets one flag of users. */
const sets = <Type extends string, Data extends { account_id: string }>(
  definition: EventDefinition<Type, Data>,
  flag: 'approved' | 'disabled' | 'suspended' | 'moved',
  value: boolean,
): BoundHandler => {
  const update = batch(`users_${flag}_${value}`, { account_id: bigint }, (rows) =>
    announced(`update users u set ${flag} = ${value} from ${rows} where u.account_id = n.account_id`),
  );
  return on(definition, { keys, apply: update.each(({ data: { account_id } }) => ({ account_id })) });
};

/** The users behind local accounts: their sign-in, and their preferences. */
export const users: Projection = {
  name: 'users',
  version: 8,
  group: MAIN,
  tables: tablesOf(USERS),
  indexes: [
    'create index users_email on users (lower(email))',
    'create index users_email_prefix on users (lower(email) collate "C")',
    'create index users_sign_up_ip on users (sign_up_ip)',
    'create index users_pending on users (account_id) where not approved',
  ],
  handlers: [
    on(UserRegistered, {
      keys,
      apply: USERS.insert().each(({ data, metadata: { time } }) => ({
        ...data,
        created_by_application_id: data.application_id,
        created_at: time,
      })),
    }),
    on(UserConfirmed, { keys, apply: CONFIRM.each(({ data }) => data) }),
    on(UserEmailChanged, { keys, apply: CHANGE_EMAIL.each(({ data }) => data) }),
    on(UserRoleChanged, { keys, apply: CHANGE_ROLE.each(({ data }) => data) }),
    sets(UserApproved, 'approved', true),
    sets(UserDisabled, 'disabled', true),
    sets(UserEnabled, 'disabled', false),
    sets(AccountSuspended, 'suspended', true),
    sets(AccountUnsuspended, 'suspended', false),
    sets(AccountMoved, 'moved', true),
    sets(AccountMoveCancelled, 'moved', false),
    on(UserRejected, {
      keys,
      apply: async (events, db) => {
        await db.query(FORGET, columns(events, 'account_id'));
      },
    }),
    preferencesHandler,
    on(UserActive, { keys, apply: MARK_ACTIVE.each(({ data }) => data) }),
    onAccounts(PersonalDataErased, FORGET),
  ],
};
