import type { DomainBlockEvent } from '#events/admin-domain-blocks.ts';
import type { DomainAllowEvent } from '#events/domain-allows.ts';
import type { EmailDomainBlockEvent } from '#events/email-domain-blocks.ts';
import type { ReplayDomain } from '#mastodon/schemas/index.ts';
import type { Past } from './world.ts';

export type DomainEvent = DomainBlockEvent | DomainAllowEvent | EmailDomainBlockEvent;

const UNBLOCKED = {
  severity: null,
  reject_media: false,
  reject_reports: false,
  obfuscate: false,
  private_comment: null,
  public_comment: null,
};

/** Returns the rules for a domain after an event of its streams. */
export function evolveDomain(before: ReplayDomain | undefined, event: Past<DomainEvent>): ReplayDomain {
  const { domain } = event.data;
  const { severity, ...rest } = before ?? { domain, ...UNBLOCKED, allowed: false, email: null };
  return { ...rest, severity, ...changeBy(event) };
}

function changeBy(event: Past<DomainEvent>): Partial<ReplayDomain> {
  switch (event.type) {
    case 'DomainBlocked':
    case 'DomainBlockChanged': {
      const { id: _id, domain: _domain, ...rules } = event.data;
      return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
    }
    case 'DomainUnblocked':
      return UNBLOCKED;
    case 'DomainAllowed':
      return { allowed: true };
    case 'DomainDisallowed':
      return { allowed: false };
    case 'EmailDomainBlocked':
      return { email: event.data.allow_with_approval ? 'approval' : 'blocked' };
    case 'EmailDomainUnblocked':
      return { email: null };
  }
}
