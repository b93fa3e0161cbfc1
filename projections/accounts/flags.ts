import { AccountSuspended, AccountUnsuspended } from '../../src/events/accounts.ts';
import {
  AccountSensitized,
  AccountSilenced,
  AccountUnsensitized,
  AccountUnsilenced,
} from '../../src/events/moderation.ts';
import type { EventDefinition } from '../../src/kernel/event.ts';
import { on, type BoundHandler } from '../../src/kernel/projection.ts';
import { statement } from '../../src/kernel/read.ts';

/** A handler that sets one flag of the accounts whom events of this type are about. */
const sets = <Type extends string, Data extends { account_id: string }>(
  definition: EventDefinition<Type, Data>,
  flag: 'suspended' | 'silenced' | 'sensitized',
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

/** What the staff made of accounts. */
export const flagHandlers: readonly BoundHandler[] = [
  sets(AccountSuspended, 'suspended', true),
  sets(AccountUnsuspended, 'suspended', false),
  sets(AccountSilenced, 'silenced', true),
  sets(AccountUnsilenced, 'silenced', false),
  sets(AccountSensitized, 'sensitized', true),
  sets(AccountUnsensitized, 'sensitized', false),
];
