import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { MAX_TAG_LENGTH } from '#mastodon/normalize-tag.ts';
import { id } from './common.ts';

/** The things besides hashtags that staff reviews before they may trend. */
export const trendSubject = z.enum(['status', 'link', 'publisher']);
export type TrendSubject = z.infer<typeof trendSubject>;

/** The decision of staff about one post, one link or all links of one domain. */
export const trendReviewStream = (subject: TrendSubject, key: string): string =>
  `trend-review-${subject}-${key}`;

/** `key` is the id of a post, the SHA-256 of a link in hexadecimal, or the canonical domain of a publisher. */
export const TrendReviewed = defineEvent({
  type: 'TrendReviewed',
  version: 1,
  schema: z.object({ subject: trendSubject, key: z.string().max(253), trendable: z.boolean() }),
  samples: { 1: { subject: 'publisher', key: 'news.example', trendable: true } },
});

/** The review requests of one day (UTC): few, each thing once. */
export const trendReviewRequestsStream = (day: string): string => `trend-review-requests-${day}`;

/** The maximum of each kind in one request to staff; longer lists would not be read. */
export const MAX_REVIEWS = 10;

/**
 * Staff is asked about everything that trends and was never part of a request. Keys are those of
 * `TrendReviewed`.
 */
export const TrendReviewsRequested = defineEvent({
  type: 'TrendReviewsRequested',
  version: 1,
  schema: z.object({
    tags: z
      .array(z.object({ tag: z.string().max(MAX_TAG_LENGTH), name: z.string().max(MAX_TAG_LENGTH) }))
      .max(MAX_REVIEWS),
    statuses: z.array(id).max(MAX_REVIEWS),
    links: z.array(z.string().max(64)).max(MAX_REVIEWS),
  }),
  samples: {
    1: {
      tags: [{ tag: 'blahaj', name: 'Blåhaj' }],
      statuses: ['115500000000000010'],
      links: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    },
  },
});

export const trendReviewEvents = [TrendReviewed, TrendReviewsRequested];
export type TrendReviewEvent = EventOf<typeof TrendReviewed>;
export type TrendReviewsRequestedEvent = EventOf<typeof TrendReviewsRequested>;
