import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id } from './common.ts';

/** Whether one mailbox is blocked; `hash` is SHA-256 of the canonical address, in lower-case hex. */
export const canonicalEmailBlockStream = (hash: string): string => `canonical-email-block-${hash}`;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const SAMPLE = { id: '115500000000000034', canonical_email_hash: 'b344e55d'.repeat(8) };

/** No address of this mailbox can be used to sign up. */
export const CanonicalEmailBlocked = defineEvent({
  type: 'CanonicalEmailBlocked',
  version: 1,
  schema: z.object({ id, canonical_email_hash: hash }),
  samples: { 1: SAMPLE },
});

export const CanonicalEmailUnblocked = defineEvent({
  type: 'CanonicalEmailUnblocked',
  version: 1,
  schema: z.object({ id, canonical_email_hash: hash }),
  samples: { 1: SAMPLE },
});

export const canonicalEmailBlockEvents = [CanonicalEmailBlocked, CanonicalEmailUnblocked];

export type CanonicalEmailBlockEvent = EventOf<(typeof canonicalEmailBlockEvents)[number]>;
