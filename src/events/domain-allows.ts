import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { domain, id } from './common.ts';

/** Whether one domain is allowed; `name` is canonical (`src/mastodon/domain-name.ts`). */
export const domainAllowStream = (name: string): string => `domain-allow-${name}`;

/** In limited federation mode this server federates with the domain. */
export const DomainAllowed = defineEvent({
  type: 'DomainAllowed',
  version: 1,
  schema: z.object({ id, domain }),
  samples: { 1: { id: '115500000000000031', domain: 'friends.example' } },
});

export const DomainDisallowed = defineEvent({
  type: 'DomainDisallowed',
  version: 1,
  schema: z.object({ id, domain }),
  samples: { 1: { id: '115500000000000031', domain: 'friends.example' } },
});

export const domainAllowEvents = [DomainAllowed, DomainDisallowed];

export type DomainAllowEvent = EventOf<(typeof domainAllowEvents)[number]>;
