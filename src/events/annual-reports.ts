import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { id } from './common.ts';

/** The annual report of one account for one year, counted once. */
export const annualReportStream = (accountId: string, year: number): string =>
  `annual-report-${accountId}-${year}`;

const count = z.int().min(0);
const ofReport = { account_id: id, year: z.int().min(1_970).max(9_999) };
const sampleOfReport = { account_id: '109500000000000000', year: 2026 };

/** https://docs.joinmastodon.org/entities/AnnualReport/#data, schema version 2. */
export const annualReportData = z.object({
  archetype: z.enum(['lurker', 'booster', 'pollster', 'replier', 'oracle']),
  /** One entry per month: posts, and new followers who still follow. */
  time_series: z
    .array(z.object({ month: z.int().min(1).max(12), statuses: count, followers: count }))
    .max(12),
  top_hashtags: z.array(z.object({ name: z.string().max(500), count })).max(1),
  top_statuses: z.object({
    by_reblogs: id.nullable(),
    by_replies: id.nullable(),
    by_favourites: id.nullable(),
  }),
});
export type AnnualReportData = z.infer<typeof annualReportData>;

const nothing: AnnualReportData = {
  archetype: 'lurker',
  time_series: [],
  top_hashtags: [],
  top_statuses: { by_reblogs: null, by_replies: null, by_favourites: null },
};

/** Contains the numbers: later posts and deletions change nothing in it. */
export const AnnualReportGenerated = defineEvent({
  type: 'AnnualReportGenerated',
  version: 1,
  schema: z.object({ ...ofReport, ...annualReportData.shape }),
  personal: { subject: (data) => data.account_id, erased: nothing },
  samples: {
    1: {
      ...sampleOfReport,
      archetype: 'oracle',
      time_series: [{ month: 12, statuses: 7123, followers: 48 }],
      top_hashtags: [{ name: 'Mastodon', count: 12 }],
      top_statuses: { by_reblogs: '115500000000000000', by_replies: null, by_favourites: null },
    },
  },
});

/** The user has viewed it. */
export const AnnualReportRead = defineEvent({
  type: 'AnnualReportRead',
  version: 1,
  schema: z.object(ofReport),
  samples: { 1: sampleOfReport },
});

export const annualReportEvents = [AnnualReportGenerated, AnnualReportRead];
export type AnnualReportEvent = EventOf<(typeof annualReportEvents)[number]>;
