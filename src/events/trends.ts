import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.ts';

/** The things besides hashtags that staff reviews before they are among the trends. */
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

export const trendReviewEvents = [TrendReviewed];
export type TrendReviewEvent = EventOf<typeof TrendReviewed>;
