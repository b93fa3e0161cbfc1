import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { domain, id } from './common.ts';

/**
 * The end of all follows between one account and a whole server: one event. `severanceId` is the id of its
 * cause.
 */
export const severanceStream = (accountId: string, severanceId: string): string =>
  `severed-relationships-${accountId}-${severanceId}`;

/** The origin of the block of the server: staff for all users, or one account for itself. */
export const severanceType = z.enum(['domain_block', 'user_domain_block']);

const sample = {
  id: '115500000000000037',
  account_id: '109500000000000000',
  type: 'domain_block' as const,
  target_name: 'bad.example',
  followers_count: 2,
  following_count: 1,
};

/**
 * The relationships that an account loses because a server was blocked. They are counted just before the
 * follows end, each with an event of its own.
 * https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/
 */
export const RelationshipsSevered = defineEvent({
  type: 'RelationshipsSevered',
  version: 2,
  /** Version 2 encrypts the domain, which a user may have blocked for themselves. */
  upcasts: { 1: (data) => data },
  personal: { subject: ({ account_id }) => account_id, erased: { target_name: '' } },
  schema: z.object({
    id,
    account_id: id,
    type: severanceType,
    /** The blocked domain. */
    target_name: domain,
    followers_count: z.int().min(0),
    following_count: z.int().min(0),
  }),
  samples: { 1: sample, 2: sample },
});

export const severanceEvents = [RelationshipsSevered];
export type SeveranceEvent = EventOf<typeof RelationshipsSevered>;
