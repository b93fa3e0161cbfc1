import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id, time } from './common.ts';

/** Limited kinds of things; each thing has a stream of its own. */
export const quotaName = z.enum([
  'announcement-reactions',
  'collections',
  'filters',
  'follows',
  'lists',
  'owners-who-stay',
  'pinned-statuses',
  'relays',
  'scheduled-statuses',
]);
export type QuotaName = z.infer<typeof quotaName>;

/**
 * The places of one account (of an announcement: those for reactions) that appends under way claim. `month`
 * is that of the claims, `2026-11`: a new stream each month keeps each one short.
 */
export const quotaStream = (quota: QuotaName, ownerId: string, month: string): string =>
  `quota-${quota}-${ownerId}-${month}`;

/** One thing that counts against the quota, which decides which of the other members count. */
const item = z.object({
  /** The id of the thing, or the name of a reaction. */
  id: z.string().max(100),
  /** The day (UTC) of a scheduled post. */
  day: z.iso.date().optional(),
  /** For a filter: the number of its keywords, and their total length in characters. */
  keywords: z.int().min(0).optional(),
  characters: z.int().min(0).optional(),
});
export type QuotaItem = z.infer<typeof item>;

const claim = z.object({ claim_id: id, at: time, items: z.array(item).max(10) });
export type QuotaClaim = z.infer<typeof claim>;

const owned = { quota: quotaName, owner_id: id };
const sampleOwned = { quota: 'lists', owner_id: '109500000000000000' } as const;
const sampleClaim = {
  claim_id: '115500000000000001',
  at: '2026-11-22T08:00:00.000Z',
  items: [{ id: '115500000000000002' }],
};

/**
 * There are enough places for the coming appends. The first event of a month carries over the open claims of
 * the previous one.
 */
export const QuotaClaimed = defineEvent({
  type: 'QuotaClaimed',
  version: 1,
  schema: z.object({ ...owned, claims: z.array(claim).max(1_000) }),
  samples: { 1: { ...sampleOwned, claims: [sampleClaim] } },
});

/** The read models count it now, or it was never appended. */
export const QuotaReleased = defineEvent({
  type: 'QuotaReleased',
  version: 1,
  schema: z.object({ ...owned, claim_id: id }),
  samples: { 1: { ...sampleOwned, claim_id: '115500000000000001' } },
});

/** The month has ended; later claims are in the next stream. */
export const QuotaClosed = defineEvent({
  type: 'QuotaClosed',
  version: 1,
  schema: z.object(owned),
  samples: { 1: sampleOwned },
});

export const quotaEvents = [QuotaClaimed, QuotaReleased, QuotaClosed];
export type QuotaEvent = EventOf<(typeof quotaEvents)[number]>;
