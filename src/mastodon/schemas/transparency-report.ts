import { z } from 'zod';
import { DECIDING_GROUPS, GROUNDS, MEANS, MEASURE_KINDS, PERIODS, RESTRICTIONS } from '../transparency.ts';
import { reportCategory } from './report.ts';

const count = z.int().min(0);
/** Seconds; null where nothing was decided. */
const median = z.number().nullable();
/** Appeals by their outcome; those that wait or were withdrawn are only among the filed ones. */
const outcome = { filed: count, kept: count, overturned: count, median_seconds: median };

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
      /** By the ground of the appealed decision; `merged` are grounds with fewer than five appeals. */
      by_ground: z.array(z.strictObject({ ground: z.enum([...GROUNDS, 'merged']), ...outcome })),
      /**
       * By the role that those who made the appealed decision had then; `merged` are roles with fewer than five
       * such people. `role` is null for all but `role`.
       */
      by_group: z.array(
        z.strictObject({ group: z.enum(DECIDING_GROUPS), role: z.string().nullable(), ...outcome }),
      ),
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
