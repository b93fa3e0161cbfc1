import { AccountUpdated } from '#events/accounts.ts';
import { AccountSilenced, AccountUnsilenced } from '#events/moderation.ts';
import { notificationPolicy, NotificationPolicyChanged } from '#events/notifications.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { bigint, table } from '#kernel/table/index.ts';
import { type DomainRules, domainRules } from '../domain-rules.ts';
import { POLICY_COLUMNS, type VerdictPrefix, VERDICTS } from './verdict.ts';

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
  const people = table(`${prefix}_people`, { account_id: bigint, ...POLICY_COLUMNS }, ['account_id']);
  const setLimited = people.set('limited');
  const keys = ({ data }: { data: { account_id: string } }): string[] => keysOf(data.account_id);
  return [
    on(AccountUpdated, {
      keys: ({ data }) => keysOf(data.id),
      apply: people
        .set('bot')
        .each(({ data: { id, bot } }) => (bot === undefined ? [] : [{ account_id: id, bot }])),
    }),
    on(AccountSilenced, { keys, apply: setLimited.each(({ data }) => ({ ...data, limited: true })) }),
    on(AccountUnsilenced, { keys, apply: setLimited.each(({ data }) => ({ ...data, limited: false })) }),
    on(NotificationPolicyChanged, {
      keys,
      apply: people
        .patch(...RULES)
        .each(({ data }) => ({
          account_id: data.account_id,
          for_not_following: verdictOf(data.for_not_following),
          for_not_followers: verdictOf(data.for_not_followers),
          for_new_accounts: verdictOf(data.for_new_accounts),
          for_private_mentions: verdictOf(data.for_private_mentions),
          for_limited_accounts: verdictOf(data.for_limited_accounts),
          for_bots: verdictOf(data.for_bots),
        })),
    }),
  ];
}

const verdictOf = (action: keyof typeof VERDICTS | undefined): number | undefined =>
  action && VERDICTS[action];
