import {
  AccountSuspended,
  AccountUnsuspended,
  RemoteAccountGone,
  RemoteAccountSuspended,
  RemoteAccountUnsuspended,
} from '#events/accounts.ts';
import { AccountErased } from '#events/erasure.ts';
import {
  AccountSensitized,
  AccountSilenced,
  AccountUnsensitized,
  AccountUnsilenced,
} from '#events/moderation.ts';
import type { EventDefinition } from '#kernel/event.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { roleHandlers } from './roles.ts';

/**
 * Returns a handler that sets one flag of accounts. Accounts of a suspended or limited domain count as
 * suspended or limited, and deleted ones as suspended: `suspended` and `silenced` combine these flags.
 */
const sets = <Type extends string, Data extends { account_id: string }>(
  definition: EventDefinition<Type, Data>,
  flag: 'suspended_alone' | 'silenced_alone' | 'sensitized' | 'suspended_there' | 'gone' | 'erased',
  value: boolean,
): BoundHandler => {
  const update = statement(
    `accounts_${flag}_${value}`,
    `update accounts set ${flag} = ${value} where id = any($1::bigint[])`,
  );
  return on(definition, {
    keys: ({ data }) => [data.account_id],
    apply: async (events, db) => {
      await db.query(update, [events.map(({ data }) => data.account_id)]);
    },
  });
};

/** Changes by staff, by an account's own server, or by its user. */
export const flagHandlers: readonly BoundHandler[] = [
  ...roleHandlers,
  sets(AccountSuspended, 'suspended_alone', true),
  sets(AccountUnsuspended, 'suspended_alone', false),
  sets(AccountSilenced, 'silenced_alone', true),
  sets(AccountUnsilenced, 'silenced_alone', false),
  sets(AccountSensitized, 'sensitized', true),
  sets(AccountUnsensitized, 'sensitized', false),
  sets(RemoteAccountSuspended, 'suspended_there', true),
  sets(RemoteAccountUnsuspended, 'suspended_there', false),
  sets(RemoteAccountGone, 'gone', true),
  sets(AccountErased, 'erased', true),
];
