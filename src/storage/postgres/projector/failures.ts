import { inspect } from 'node:util';
import type { RecordedEvent } from '#kernel/event.ts';
import type { LastTry } from '#kernel/services/read-models.ts';

/**
 * The reason why a projection is halted: the event that its handler rejected. Without an id, the log could not be
 * read after that position; the runner retries that for ever.
 */
export interface Failure {
  /** Empty when no single projection is to blame. */
  projection: string;
  position: string;
  event_id: string;
  event_type: string;
  error: string;
}

/** Returns the end of a retry now. */
export const tried = (outcome: LastTry['outcome'], error?: string): LastTry => ({
  at: new Date().toISOString(),
  outcome,
  error: error ?? null,
});

/** A projection rejected the events of one transaction. */
export class ProjectionError extends Error {
  readonly projection: string;

  constructor(projection: string, cause: unknown) {
    super(`Projection ${projection} failed`, { cause });
    this.projection = projection;
  }
}

/** Returns the failure of an event. */
export function failureAt(event: RecordedEvent, error: unknown): Failure {
  const named = error instanceof ProjectionError;
  return {
    projection: named ? error.projection : '',
    position: String(event.position),
    event_id: event.id,
    event_type: event.type,
    error: errorText(named ? error.cause : error),
  };
}

/** Returns the message of whatever was thrown. */
export function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  return error instanceof Error && typeof error.message === 'string' ? error.message : inspect(error);
}

/** A message longer than this is cut. */
const MAX_ERROR = 2_000;

/** Returns the message of an error as a table takes it. */
export const errorText = (error: unknown): string =>
  messageOf(error).replaceAll('\0', '').slice(0, MAX_ERROR).toWellFormed();
