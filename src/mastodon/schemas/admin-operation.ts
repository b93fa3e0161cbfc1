import { z } from 'zod';
import { adminAlertSchema } from './admin-alert.ts';
import { dateTime } from './shared.ts';

/** A reactor: work that follows from events. Rookery's own entity. */
export const adminReactorSchema = z
  .strictObject({
    name: z.string(),
    /** Every event up to here is handled or dead-lettered. */
    position: z.string(),
    lag: z.strictObject({
      events: z.number().nullable(),
      estimated: z.boolean(),
      seconds: z.number().nullable(),
    }),
    dead_letters: z.number(),
  })
  .meta({ id: 'AdminReactor' });
export type AdminReactor = z.infer<typeof adminReactorSchema>;

/** Work that follows from the time. Rookery's own entity. */
export const adminTimerSchema = z
  .strictObject({
    name: z.string(),
    /** `late`: it was to run a minute ago; `stopped`: no process runs it. */
    state: z.enum(['running', 'late', 'failing', 'stopped']),
    /** Null while nothing is due. */
    next_at: dateTime.nullable(),
    /** The last time that it acted on something. */
    fired_at: dateTime.nullable(),
    /** How often it acted on something. */
    fired: z.number(),
    /** How many things wait for another try. */
    failing: z.number(),
    /** The last failure, while it fails. */
    error: z.string().nullable(),
    failing_since: dateTime.nullable(),
    /** The last sign of life of the process that runs it. */
    seen_at: dateTime,
  })
  .meta({ id: 'AdminTimer' });
export type AdminTimer = z.infer<typeof adminTimerSchema>;

/** An event that a reactor could not handle. Rookery's own entity. */
export const adminDeadLetterSchema = z
  .strictObject({
    reactor: z.string(),
    event_id: z.string(),
    event_type: z.string(),
    stream: z.string(),
    position: z.string(),
    attempts: z.number(),
    error: z.string(),
    failed_at: dateTime,
    /** It is to be tried again. */
    retrying: z.boolean(),
    /** The event, decoded; null where it cannot be read, absent in lists. */
    event: z
      .strictObject({ data: z.unknown(), metadata: z.unknown(), revision: z.number() })
      .nullable()
      .optional(),
  })
  .meta({ id: 'AdminDeadLetter' });
export type AdminDeadLetter = z.infer<typeof adminDeadLetterSchema>;

/** The unfinished and failed jobs. Rookery's own entity. */
export const adminJobsSchema = z
  .strictObject({
    kinds: z.array(
      z.strictObject({
        name: z.string(),
        running: z.number(),
        waiting: z.number(),
        /** Not due yet. */
        scheduled: z.number(),
        /** Failed, and to be tried again. */
        retrying: z.number(),
        /** Failed as often as they may. */
        failed: z.number(),
        oldest_at: dateTime.nullable(),
      }),
    ),
    jobs: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        state: z.enum(['running', 'waiting', 'scheduled', 'retrying', 'failed']),
        tries: z.number(),
        created_at: dateTime,
        due_at: dateTime,
        started_at: dateTime.nullable(),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'AdminJobs' });
export type AdminJobs = z.infer<typeof adminJobsSchema>;

/** A server that gets deliveries. Rookery's own entity. */
export const adminHostSchema = z
  .strictObject({
    /** With its port. */
    host: z.string(),
    /** `failing`: its last attempts failed; `down`: three or more in a row, so it is tried at intervals. */
    state: z.enum(['new', 'up', 'failing', 'down']),
    /** Waiting deliveries, and those among them that failed before. */
    queued: z.number(),
    retrying: z.number(),
    /** Attempts so far. */
    delivered: z.number(),
    refused: z.number(),
    failed: z.number(),
    last_success_at: dateTime.nullable(),
    last_failure_at: dateTime.nullable(),
    last_failure: z.string().nullable(),
    down_since: dateTime.nullable(),
    /** The time of the next attempt at a server that is down. */
    retry_at: dateTime.nullable(),
    /** The milliseconds that an attempt takes of late; null before the first one. */
    average_ms: z.number().nullable(),
    /** Absent in lists. */
    deliveries: z
      .array(
        z.strictObject({
          inbox: z.string(),
          /** The type of the activity, such as `Create`. */
          type: z.string(),
          actor: z.string(),
          attempts: z.number(),
          queued_at: dateTime,
          due_at: dateTime,
          /** It is being sent. */
          sending: z.boolean(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'AdminHost' });
export type AdminHost = z.infer<typeof adminHostSchema>;

/** The present failures, for the operator. Rookery's own entity. */
export const adminTroubleSchema = z
  .strictObject({
    /** Open alerts, also those beyond the newest in `alerts`. */
    alerts_count: z.number(),
    alerts: z.array(
      adminAlertSchema.pick({ id: true, name: true, subject: true, detail: true, raised_at: true }),
    ),
    /** `stopped`: with its whole group. */
    projections: z.array(
      z.strictObject({
        name: z.string(),
        state: z.enum(['halted', 'stopped']),
        error: z.string().nullable(),
      }),
    ),
    timers: z.array(adminTimerSchema.pick({ name: true, state: true, error: true })),
    /** Reactors that could not handle events. */
    reactors: z.array(adminReactorSchema.pick({ name: true, dead_letters: true })),
  })
  .meta({ id: 'AdminTrouble' });
export type AdminTrouble = z.infer<typeof adminTroubleSchema>;
