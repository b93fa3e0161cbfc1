import { z } from 'zod';
import { dateTime } from './shared.ts';

/** One of the first rows that differ. Values are shortened texts; texts are shown by their lengths. */
const differingRowSchema = z.strictObject({
  /** Its primary key, by column. */
  key: z.record(z.string(), z.string().nullable()),
  /** `missing`: only the log has it. `surplus`: only the live table has it. */
  kind: z.enum(['missing', 'surplus', 'changed']),
  /** The columns that differ in a changed row. */
  columns: z.array(
    z.strictObject({ name: z.string(), live: z.string().nullable(), rebuilt: z.string().nullable() }),
  ),
});

/** A build of a read model that staff started: to take its place, or to be compared with it. Rookery's own entity. */
export const adminProjectionRunSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['rebuild', 'verify']),
    /** `interrupted`: its process ended. */
    state: z.enum(['running', 'done', 'failed', 'cancelled', 'interrupted']),
    started_at: dateTime,
    /** Null while it runs. */
    ended_at: dateTime.nullable(),
    seconds: z.number(),
    /** Positions of the log. */
    position: z.string(),
    head: z.string(),
    events: z.number(),
    /** In events; null before the first page of the log. */
    done: z.number().nullable(),
    total: z.number().nullable(),
    estimated: z.boolean(),
    events_per_second: z.number().nullable(),
    seconds_left: z.number().nullable(),
    /** Once it is done: the rows and a sum of their hashes, of the live table and of the one that was built. */
    digests: z
      .array(
        z.strictObject({
          table: z.string(),
          live: z.string(),
          rebuilt: z.string(),
          rows: z.array(differingRowSchema),
        }),
      )
      .nullable(),
    error: z.string().nullable(),
    /** It was cancelled, and ends at its next step. */
    cancelling: z.boolean(),
  })
  .meta({ id: 'AdminProjectionRun' });
export type AdminProjectionRun = z.infer<typeof adminProjectionRunSchema>;
