import { z } from 'zod';
import { defineEvent, type EventOf, type JsonObject } from '#kernel/event.ts';
import { domain, id } from './common.ts';

/** One account's block of one domain, which is named by a keyed digest of it. */
export const userDomainBlockStream = (accountId: string, digest: string): string =>
  `user-domain-block-${accountId}-${digest}`;
/** The stream of a block in versions before 0.2. `name` is lower case and in ASCII. */
export const formerUserDomainBlockStream = (accountId: string, name: string): string =>
  `user-domain-block-${accountId}-${name}`;

/** Version 2 encrypts the domain. Read models leave out a block without one, which is an erased one. */
const encrypted = {
  version: 2,
  upcasts: { 1: (data: JsonObject) => data },
  personal: { subject: (data: { account_id: string }) => data.account_id, erased: { domain: '' } },
};

/** A user blocks a whole domain. `id` is the block's own; the list is paged by it. */
export const UserDomainBlocked = defineEvent({
  ...encrypted,
  type: 'UserDomainBlocked',
  schema: z.object({ id, account_id: id, domain }),
  samples: {
    1: { id: '115500000000000007', account_id: '109500000000000000', domain: 'far.example' },
    2: { id: '115500000000000007', account_id: '109500000000000000', domain: 'far.example' },
  },
});

export const UserDomainUnblocked = defineEvent({
  ...encrypted,
  type: 'UserDomainUnblocked',
  schema: z.object({ account_id: id, domain }),
  samples: {
    1: { account_id: '109500000000000000', domain: 'far.example' },
    2: { account_id: '109500000000000000', domain: 'far.example' },
  },
});

export const userDomainBlockEvents = [UserDomainBlocked, UserDomainUnblocked];

export type UserDomainBlockEvent = EventOf<(typeof userDomainBlockEvents)[number]>;
