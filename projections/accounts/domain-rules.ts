import { domainRules } from '../domain-rules.ts';

/** The effects of domain blocks on accounts. */
export const accountDomainRules = domainRules({
  rules: 'account_domain_rules',
  accounts: 'accounts',
  id: 'id',
  columns: { domain_severity: ({ severity }) => severity, media_rejected: ({ rejectMedia }) => rejectMedia },
});
