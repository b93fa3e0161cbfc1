import type { z } from 'zod';

/** A JSON value. Events contain nothing else: dates are ISO 8601 strings. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/**
 * Names the data subject whose key encrypts which fields of an event (see `src/storage/eventlog/codec.ts`).
 */
export interface PersonalFields<Data> {
  /** The data subject: an account id. Destroying this subject's key erases the fields. */
  subject: (data: Data) => string;
  /** The personal fields, each with its value after the key is destroyed. */
  erased: Partial<Data>;
}

/**
 * One event type of the catalogue: its name, schema version, payload schema and how older payloads become today's.
 * A frozen sample of every version ever released is replayed in CI.
 */
export interface EventDefinition<Type extends string = string, Data = unknown> {
  type: Type;
  version: number;
  schema: z.ZodType<Data>;
  personal?: PersonalFields<Data>;
  /** `upcasts[1]` turns version 1 data into version 2 data, and so on up to `version - 1`. */
  upcasts?: Record<number, (data: JsonObject) => JsonObject>;
  /** One payload per released version, the version as key. */
  samples: Record<number, JsonObject>;
}

/**
 * Any definition of the catalogue. The payload type is both an input and an output of a definition (schema,
 * personal fields), so nothing narrower fits all.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyEvent = EventDefinition<string, any>;

/** Declares an event type; infers the payload type from the schema. */
export function defineEvent<Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
): EventDefinition<Type, Data> {
  return definition;
}

/** The event that a definition describes, as deciders produce it: `{ type, data }`. */
export type EventOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Data> ? { type: Type; data: Data } : never;

/** A past-tense fact, not yet stored. */
export interface DomainEvent {
  type: string;
  data: unknown;
}

/** The `rule` of commands from the command line. */
export const OPERATOR = 'command line';

/** The actor, the means and the cause. Stored with every event; never personal text. */
export interface EventMetadata {
  /** ISO 8601, the `now` of the command. */
  time: string;
  actor?: { account_id: string; role?: string };
  application_id?: string;
  token_id?: string;
  /** The domain of the server that a federated activity came from. */
  remote?: string;
  /** The automation rule or reactor that acted. */
  rule?: string;
  command_id: string;
  correlation_id: string;
  causation_id?: string;
}

/** An event as read from the log: upcast to today's version, personal fields in clear text. */
export interface RecordedEvent<Type extends string = string, Data = unknown> {
  position: bigint;
  stream: string;
  revision: number;
  id: string;
  type: Type;
  data: Data;
  metadata: EventMetadata;
  /** Says why it cannot be decoded; its data is then empty. Readers that follow the log stand at it or pass it. */
  unreadable?: string;
}

/** The recorded form of the event that a definition describes. */
export type RecordedOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Data> ? RecordedEvent<Type, Data> : never;
