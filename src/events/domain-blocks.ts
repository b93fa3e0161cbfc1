import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.ts';
import { domain, id } from './common.ts';

/** One account's block of one domain. `name` is lower case and in ASCII. */
export const userDomainBlockStream = (accountId: string, name: string): string =>
  `user-domain-block-${accountId}-${name}`;

/** A user blocks a whole domain. `id` is the block's own; the list is paged by it. */
export const UserDomainBlocked = defineEvent({
  type: 'UserDomainBlocked',
  version: 1,
  schema: z.object({ id, account_id: id, domain }),
  samples: { 1: { id: '115500000000000007', account_id: '109500000000000000', domain: 'far.example' } },
});

export const UserDomainUnblocked = defineEvent({
  type: 'UserDomainUnblocked',
  version: 1,
  schema: z.object({ account_id: id, domain }),
  samples: { 1: { account_id: '109500000000000000', domain: 'far.example' } },
});

export const userDomainBlockEvents = [UserDomainBlocked, UserDomainUnblocked];

export type UserDomainBlockEvent = EventOf<(typeof userDomainBlockEvents)[number]>;
