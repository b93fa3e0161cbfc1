import { z } from 'zod';
import { accountSchema } from './account.ts';
import { count, id, url } from './shared.ts';
import { statusSchema } from './status.ts';

/** https://docs.joinmastodon.org/entities/AnnualReport/, in schema version 2. */
export const annualReportSchema = z
  .strictObject({
    year: z.int(),
    data: z.strictObject({
      archetype: z.enum(['lurker', 'booster', 'pollster', 'replier', 'oracle']),
      time_series: z.array(z.strictObject({ month: z.int(), statuses: count, followers: count })),
      top_hashtags: z.array(z.strictObject({ name: z.string(), count })),
      top_statuses: z.strictObject({
        by_reblogs: id.nullable(),
        by_replies: id.nullable(),
        by_favourites: id.nullable(),
      }),
    }),
    schema_version: z.int(),
    /** Null: there are no pages to share here. */
    share_url: url.nullable(),
    account_id: id,
  })
  .meta({ id: 'AnnualReport' });
export type AnnualReport = z.infer<typeof annualReportSchema>;

/** https://docs.joinmastodon.org/entities/AnnualReport/#WrappedAnnualReports */
export const wrappedAnnualReportsSchema = z.strictObject({
  annual_reports: z.array(annualReportSchema),
  accounts: z.array(accountSchema),
  statuses: z.array(statusSchema),
});
