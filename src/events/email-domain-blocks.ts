import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { domain, id } from './common.ts';

/** Whether one domain of mail addresses is blocked; `name` is canonical (`src/mastodon/domain-name.ts`). */
export const emailDomainBlockStream = (name: string): string => `email-domain-block-${name}`;

/** Refuses sign-ups with an address of the domain or a subdomain, or requires staff approval for them. */
export const EmailDomainBlocked = defineEvent({
  type: 'EmailDomainBlocked',
  version: 2,
  schema: z.object({ id, domain, allow_with_approval: z.boolean() }),
  upcasts: { 1: (data) => ({ ...data, allow_with_approval: false }) },
  samples: {
    1: { id: '115500000000000032', domain: 'throwaway.example' },
    2: { id: '115500000000000033', domain: 'freemail.example', allow_with_approval: true },
  },
});

export const EmailDomainUnblocked = defineEvent({
  type: 'EmailDomainUnblocked',
  version: 1,
  schema: z.object({ id, domain }),
  samples: { 1: { id: '115500000000000032', domain: 'throwaway.example' } },
});

export const emailDomainBlockEvents = [EmailDomainBlocked, EmailDomainUnblocked];

export type EmailDomainBlockEvent = EventOf<(typeof emailDomainBlockEvents)[number]>;
