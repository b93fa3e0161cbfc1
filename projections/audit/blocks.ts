import { DomainBlockChanged, DomainBlocked, DomainUnblocked } from '#events/admin-domain-blocks.ts';
import { CanonicalEmailBlocked, CanonicalEmailUnblocked } from '#events/canonical-email-blocks.ts';
import { DomainAllowed, DomainDisallowed } from '#events/domain-allows.ts';
import { EmailDomainBlocked, EmailDomainUnblocked } from '#events/email-domain-blocks.ts';
import { IpBlockChanged, IpBlocked, IpUnblocked } from '#events/ip-blocks.ts';
import type { EventDefinition } from '#kernel/event.ts';
import type { BoundHandler } from '#kernel/projection.ts';
import type { AuditAction, AuditTarget } from '#mastodon/audit-log.ts';
import { change, type Fields, pick } from './changes.ts';
import type { AuditDetails } from './entries.ts';
import { altered, audited, lost, made } from './rule.ts';

interface OfDomain {
  id: string;
  domain: string;
}
type About = Pick<AuditDetails, 'target' | 'domain'>;

const aboutDomain = (type: AuditTarget, { id, domain }: OfDomain): About => ({
  target: { type, id, name: domain },
  domain,
});

/** A domain is added to a list or removed, and has no other fields. */
const listed = <Type extends string, Data extends OfDomain>(
  definition: EventDefinition<Type, Data>,
  action: AuditAction,
  type: AuditTarget,
  [field, to]: readonly [field: string, to: boolean],
): BoundHandler =>
  audited(definition, {
    action,
    key: ({ domain }) => `${type}/${domain}`,
    describe: (data) => ({ ...aboutDomain(type, data), changes: [change(field, !to, to)] }),
  });

interface OfMailbox {
  id: string;
  canonical_email_hash: string;
}

const mailbox = <Type extends string, Data extends OfMailbox>(
  definition: EventDefinition<Type, Data>,
  action: AuditAction,
  blocked: boolean,
): BoundHandler =>
  audited(definition, {
    action,
    key: ({ canonical_email_hash }) => `canonical_email_block/${canonical_email_hash}`,
    describe: ({ id, canonical_email_hash: name }) => ({
      target: { type: 'canonical_email_block', id, name },
      changes: [change('blocked', !blocked, blocked)],
    }),
  });

const domainKey = ({ domain }: OfDomain): string => `domain_block/${domain}`;
const aboutBlock = (data: OfDomain): About => aboutDomain('domain_block', data);
const DOMAIN_RULES = [
  'severity',
  'reject_media',
  'reject_reports',
  'private_comment',
  'public_comment',
  'obfuscate',
] as const;

interface OfRange {
  id: string;
  digest: string;
}

const rangeKey = ({ digest }: OfRange): string => `ip_block/${digest}`;
/**
 * The range is personal: it is read from its read model while it is blocked, and the comment is not kept at
 * all.
 */
const aboutRange = ({ id }: OfRange): Pick<AuditDetails, 'target'> => ({
  target: { type: 'ip_block', id, name: null },
});
const rangeRules = (data: {
  severity?: string | undefined;
  expires_at?: string | null | undefined;
}): Fields => pick(data, ['severity', 'expires_at']);

export const blockHandlers: readonly BoundHandler[] = [
  listed(DomainAllowed, 'domain_allow.created', 'domain_allow', ['allowed', true]),
  listed(DomainDisallowed, 'domain_allow.deleted', 'domain_allow', ['allowed', false]),
  audited(EmailDomainBlocked, {
    action: 'email_domain_block.created',
    key: ({ domain }) => `email_domain_block/${domain}`,
    describe: (data) => ({
      ...aboutDomain('email_domain_block', data),
      changes: [
        change('blocked', false, true),
        ...(data.allow_with_approval ? [change('allow_with_approval', null, true)] : []),
      ],
    }),
  }),
  listed(EmailDomainUnblocked, 'email_domain_block.deleted', 'email_domain_block', ['blocked', false]),
  mailbox(CanonicalEmailBlocked, 'canonical_email_block.created', true),
  mailbox(CanonicalEmailUnblocked, 'canonical_email_block.deleted', false),
  audited(DomainBlocked, {
    action: 'domain_block.created',
    key: domainKey,
    describe: (data) => ({ ...aboutBlock(data), ...made(pick(data, DOMAIN_RULES)) }),
  }),
  audited(DomainBlockChanged, {
    action: 'domain_block.updated',
    key: domainKey,
    compares: true,
    describe: (data, before) => ({ ...aboutBlock(data), ...altered(before, pick(data, DOMAIN_RULES)) }),
  }),
  audited(DomainUnblocked, {
    action: 'domain_block.deleted',
    key: domainKey,
    compares: true,
    describe: (data, before) => ({ ...aboutBlock(data), ...lost(before) }),
  }),
  audited(IpBlocked, {
    action: 'ip_block.created',
    key: rangeKey,
    describe: (data) => ({ ...aboutRange(data), ...made(rangeRules(data)) }),
  }),
  audited(IpBlockChanged, {
    action: 'ip_block.updated',
    key: rangeKey,
    compares: true,
    describe: (data, before) => ({ ...aboutRange(data), ...altered(before, rangeRules(data)) }),
  }),
  audited(IpUnblocked, {
    action: 'ip_block.deleted',
    key: rangeKey,
    compares: true,
    describe: (data, before) => ({ ...aboutRange(data), ...lost(before) }),
  }),
];
