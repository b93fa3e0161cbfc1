import { z } from 'zod';
import { GROUNDS, MEANS, MEASURE_KINDS, PERIODS, RESTRICTIONS } from '../transparency.ts';
import { reportCategory } from './report.ts';

const count = z.int().min(0);
/** Seconds; null where nothing was decided. */
const median = z.number().nullable();

/** The measures, reports and appeals of one period. Articles are those of Regulation (EU) 2022/2065. */
export const transparencyPeriodSchema = z
  .strictObject({
    /** `2026-11`, `2026-Q4` or `2026`, in UTC. */
    period: z.string(),
    /** Article 15(1)(c) and (e), by kind, ground and means. */
    measures: z.array(
      z.strictObject({
        kind: z.enum(MEASURE_KINDS),
        restriction: z.enum(RESTRICTIONS),
        ground: z.enum(GROUNDS),
        means: z.enum(MEANS),
        count,
        /** Those of which the user got a statement of reasons (Article 17). */
        statements_of_reasons: count,
      }),
    ),
    /** Measures that ended, by an appeal or otherwise; warnings and deletions cannot end. */
    reversals: z.array(
      z.strictObject({ kind: z.enum(MEASURE_KINDS), count, by_appeal: count, automated: count }),
    ),
    /** Article 15(1)(b): reports that were filed in the period, by their present category. */
    reports: z.array(
      z.strictObject({
        category: reportCategory,
        filed: count,
        decided: count,
        /** Those that led to a measure. */
        with_measure: count,
        median_seconds: median,
      }),
    ),
    /** Article 15(1)(d): appeals that were filed in the period. */
    appeals: z.strictObject({
      filed: count,
      pending: count,
      approved: count,
      rejected: count,
      withdrawn: count,
      median_seconds: median,
    }),
    totals: z.strictObject({
      measures: count,
      automated: count,
      statements_of_reasons: count,
      reversals: count,
      reports: count,
      decided: count,
      median_seconds: median,
    }),
  })
  .meta({ id: 'TransparencyPeriod' });
export type TransparencyPeriod = z.infer<typeof transparencyPeriodSchema>;

/** A transparency report; for staff. Mastodon has no such entity. */
export const transparencyReportSchema = z
  .strictObject({
    by: z.enum(PERIODS),
    /** The first and the last month, both included. */
    from: z.string(),
    until: z.string(),
    /** The newest one first; those in which nothing happened too. */
    periods: z.array(transparencyPeriodSchema),
  })
  .meta({ id: 'TransparencyReport' });
export type TransparencyReport = z.infer<typeof transparencyReportSchema>;
