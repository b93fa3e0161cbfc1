import { z } from 'zod';
import { date } from './shared.ts';

/** Mastodon writes these times with an offset and without a fraction. */
const midnight = z.iso.datetime({ offset: true });
/** A count, as text. */
const figure = z.string().regex(/^[0-9]+$/);

export const adminMeasureDataSchema = z
  .strictObject({ date: z.union([date, z.iso.datetime()]), value: figure })
  .meta({ id: 'AdminMeasureData' });

/** https://docs.joinmastodon.org/entities/Admin_Measure/ */
export const adminMeasureSchema = z
  .strictObject({
    key: z.string(),
    /** null for counts. */
    unit: z.literal('bytes').nullable(),
    total: figure,
    human_value: z.string().optional(),
    /** Absent when Mastodon does not compare. */
    previous_total: figure.optional(),
    data: z.array(adminMeasureDataSchema),
  })
  .meta({ id: 'AdminMeasure' });
export type AdminMeasure = z.infer<typeof adminMeasureSchema>;

/** https://docs.joinmastodon.org/entities/Admin_Dimension/#data-attributes. A value is a count or a version. */
export const adminDimensionDataSchema = z
  .strictObject({
    key: z.string(),
    human_key: z.string(),
    value: z.string(),
    unit: z.string().optional(),
    human_value: z.string().optional(),
  })
  .meta({ id: 'AdminDimensionData' });
export type AdminDimensionData = z.infer<typeof adminDimensionDataSchema>;

/** https://docs.joinmastodon.org/entities/Admin_Dimension/ */
export const adminDimensionSchema = z
  .strictObject({ key: z.string(), data: z.array(adminDimensionDataSchema) })
  .meta({ id: 'AdminDimension' });
export type AdminDimension = z.infer<typeof adminDimensionSchema>;

export const cohortFrequencySchema = z.enum(['day', 'month']).meta({ id: 'AdminCohortFrequencyEnum' });
export type CohortFrequency = z.infer<typeof cohortFrequencySchema>;

/** `rate` is between 0 and 1. */
export const cohortDataSchema = z
  .strictObject({ date: midnight, rate: z.number().min(0).max(1), value: figure })
  .meta({ id: 'CohortData' });

/** https://docs.joinmastodon.org/entities/Admin_Cohort/ */
export const adminCohortSchema = z
  .strictObject({ period: midnight, frequency: cohortFrequencySchema, data: z.array(cohortDataSchema) })
  .meta({ id: 'AdminCohort' });
export type AdminCohort = z.infer<typeof adminCohortSchema>;
