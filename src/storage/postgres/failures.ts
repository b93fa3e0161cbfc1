import type { RecordedEvent } from '../../kernel/event.ts';

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
    error: messageOf(named ? error.cause : error),
  };
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A message longer than this is cut. */
const MAX_ERROR = 2_000;

/** Returns the message of an error as a table takes it. */
export const errorText = (error: unknown): string =>
  messageOf(error).replaceAll('\0', '').slice(0, MAX_ERROR);
