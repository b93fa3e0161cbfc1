import { z } from 'zod';
import { dateTime } from './shared.ts';

const position = z.string();
const builtBy = z.enum(['this_code', 'other_code', 'unknown']);

const skippedEvent = z.strictObject({
  position,
  event_id: z.string(),
  event_type: z.string(),
  reason: z.string(),
  skipped_at: dateTime,
});

/** A read model of this server. Rookery's own entity. */
export const adminProjectionSchema = z
  .strictObject({
    name: z.string(),
    version: z.number(),
    group: z.string(),
    position,
    lag: z.strictObject({
      events: z.number().nullable(),
      estimated: z.boolean(),
      seconds: z.number().nullable(),
    }),
    state: z.enum(['following', 'halted', 'catching_up', 'stopped', 'not_built']),
    failure: z
      .strictObject({ position, event_id: z.string(), event_type: z.string(), error: z.string() })
      .nullable(),
    /**
     * The end of the last retry of the event that halted it: `went_on`, `rejected` once more, or `failed` for another reason. Null where
     * it was not retried since it was halted, or was built since.
     */
    last_try: z
      .strictObject({
        at: dateTime,
        outcome: z.enum(['went_on', 'rejected', 'failed']),
        error: z.string().nullable(),
      })
      .nullable(),
    built_at: dateTime.nullable(),
    /** The duration of the last build; null where it was not stored. */
    build_seconds: z.number().nullable(),
    /**
     * Whether the last build used the tables and handlers of this version of Rookery. The next start rebuilds tables of `other_code`;
     * rows of other handlers stay until a rebuild. `unknown` where the build did not record it.
     */
    built_by: z.strictObject({ tables: builtBy, handlers: builtBy }),
    /** A build that is under way, by whatever process, in events; the numbers are null before it has begun to read. */
    build: z
      .strictObject({ done: z.number().nullable(), total: z.number().nullable(), estimated: z.boolean() })
      .nullable(),
    /** Measured over the last minute; null where it was not sampled. */
    events_per_second: z.number().nullable(),
    /** The size of its tables. */
    bytes: z.number(),
    skipped: z.array(skippedEvent),
    /** The events that its tables lack until it is rebuilt: they were left out, and shall be taken again. */
    lacks: z.array(skippedEvent.extend({ unskipped_at: dateTime })),
    /** Events a second in each minute of the last hour that was sampled; absent in lists. */
    rates: z.array(z.strictObject({ at: dateTime, events_per_second: z.number() })).optional(),
    /** Absent in lists. */
    tables: z.array(z.strictObject({ name: z.string(), bytes: z.number(), rows: z.number() })).optional(),
    /** The event of the failure, decoded; absent in lists. */
    event: z
      .strictObject({
        type: z.string(),
        stream: z.string(),
        revision: z.number(),
        data: z.unknown(),
        metadata: z.unknown(),
      })
      .nullable()
      .optional(),
  })
  .meta({ id: 'AdminProjection' });
export type AdminProjection = z.infer<typeof adminProjectionSchema>;
