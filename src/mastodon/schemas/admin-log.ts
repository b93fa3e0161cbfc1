import { z } from 'zod';
import { count, dateTime, id } from './shared.ts';

const position = z.string().regex(/^[0-9]{1,19}$/);

/** An event of the log. Rookery's own entity, like the others of this file. */
export const adminEventSchema = z
  .strictObject({
    position,
    stream: z.string(),
    revision: count,
    id: z.string(),
    type: z.string(),
    time: z.string(),
    /** The username is null for accounts that are gone. */
    actor: z.strictObject({ id, username: z.string().nullable(), role: z.string().nullable() }).nullable(),
    application_id: z.string().nullable(),
    /** The server that sent the activity. */
    remote: z.string().nullable(),
    /** The reactor, the automation or the command line. */
    rule: z.string().nullable(),
    command_id: z.string(),
    correlation_id: z.string(),
    causation_id: z.string().nullable(),
    /** Null for events without personal fields. */
    personal: z
      .strictObject({
        fields: z.array(z.string()),
        encrypted: z.boolean(),
        erased: z.boolean(),
        /** They cannot be decrypted, and have the values of erased fields. */
        damaged: z.boolean(),
        /** `data` contains them. */
        shown: z.boolean(),
      })
      .nullable(),
    /** Null where this version cannot read the event. */
    data: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'AdminEvent' });
export type AdminEvent = z.infer<typeof adminEventSchema>;

/** The part of the log that was looked through; positions are null where it is empty. */
const lookedSchema = z.strictObject({ events: count, first: position.nullable(), last: position.nullable() });

export const adminEventPageSchema = z
  .strictObject({
    head: position,
    events: z.array(adminEventSchema),
    looked: lookedSchema,
    /** `max_id` of the next look. */
    next: position.nullable(),
  })
  .meta({ id: 'AdminEventPage' });
export type AdminEventPage = z.infer<typeof adminEventPageSchema>;

export const adminTraceSchema = z
  .strictObject({
    correlation_id: z.string(),
    head: position,
    /** In the order of the log. */
    events: z.array(adminEventSchema),
    looked: lookedSchema,
    read_models: z.array(
      z.strictObject({
        name: z.string(),
        group: z.string(),
        /** The positions of the events that it handles. */
        takes: z.array(position),
        position: position.nullable(),
        state: z.enum(['contains_them', 'behind', 'halted', 'not_built']),
      }),
    ),
    failures: z.array(
      z.strictObject({
        reactor: z.string(),
        event_id: z.string(),
        event_type: z.string(),
        error: z.string(),
        failed_at: dateTime,
      }),
    ),
  })
  .meta({ id: 'AdminTrace' });
export type AdminTrace = z.infer<typeof adminTraceSchema>;
