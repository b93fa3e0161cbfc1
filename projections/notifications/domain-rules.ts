import { domainRules } from '../domain-rules.ts';

/** Accounts of a silenced domain count as limited, as those that are silenced themselves. */
export const notificationDomainRules = domainRules({
  rules: 'notification_domain_rules',
  accounts: 'notification_people',
  id: 'account_id',
  columns: { limited_by_domain: ({ severity }) => `(${severity} is not distinct from 'silence')` },
});
