import { AccountUpdated } from '#events/accounts.ts';
import { AccountSilenced, AccountUnsilenced } from '#events/moderation.ts';
import { notificationPolicy, NotificationPolicyChanged } from '#events/notifications.ts';
import { type BoundHandler, columns, on } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type DomainRules, domainRules } from '../domain-rules.ts';
import { type VerdictPrefix, VERDICTS } from './verdict.ts';

/** Returns the rules of domains for `<prefix>_people`: accounts of a silenced domain are limited. */
export const policyDomainRules = (prefix: VerdictPrefix): DomainRules =>
  domainRules({
    rules: `${prefix}_domain_rules`,
    accounts: `${prefix}_people`,
    id: 'account_id',
    columns: { limited_by_domain: ({ severity }) => `(${severity} is not distinct from 'silence')` },
  });

const RULES = Object.keys(notificationPolicy.shape) as (keyof typeof notificationPolicy.shape)[];

/**
 * Returns the handlers that update `<prefix>_people`, the table of accounts and policies that a verdict
 * reads. `keysOf` gives the keys of an event about an account in the projection.
 */
export function policyPeopleHandlers(
  prefix: VerdictPrefix,
  keysOf: (accountId: string) => string[],
): readonly BoundHandler[] {
  const people = `${prefix}_people`;
  const SET_BOT = statement(
    `${people}_bot`,
    `update ${people} p set bot = n.bot
     from unnest($1::bigint[], $2::bool[]) as n (account_id, bot) where p.account_id = n.account_id`,
  );
  const SET_LIMITED = statement(
    `${people}_limited`,
    `update ${people} set limited = $2 where account_id = any($1::bigint[])`,
  );
  const SET_POLICY = statement(
    `${people}_policy`,
    `update ${people} p set ${RULES.map((rule) => `${rule} = coalesce(n.${rule}, p.${rule})`).join(', ')}
     from unnest($1::bigint[], ${RULES.map((_, index) => `$${index + 2}::smallint[]`).join(', ')})
       as n (account_id, ${RULES.join(', ')}) where p.account_id = n.account_id`,
  );
  const setLimited =
    (limited: boolean) =>
    async (events: readonly { data: { account_id: string } }[], db: Db): Promise<void> => {
      await db.query(SET_LIMITED, [...columns(events, 'account_id'), limited]);
    };
  const keys = ({ data }: { data: { account_id: string } }): string[] => keysOf(data.account_id);
  return [
    on(AccountUpdated, {
      keys: ({ data }) => keysOf(data.id),
      apply: async (events, db) => {
        const told = events.filter(({ data }) => data.bot !== undefined);
        if (told.length > 0) await db.query(SET_BOT, columns(told, 'id', 'bot'));
      },
    }),
    on(AccountSilenced, { keys, apply: setLimited(true) }),
    on(AccountUnsilenced, { keys, apply: setLimited(false) }),
    on(NotificationPolicyChanged, {
      keys,
      apply: async (events, db) => {
        await db.query(SET_POLICY, [
          ...columns(events, 'account_id'),
          ...RULES.map((rule) => events.map(({ data }) => (data[rule] ? VERDICTS[data[rule]] : null))),
        ]);
      },
    }),
  ];
}
