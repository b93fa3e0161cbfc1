import type { EventMetadata, RecordedEvent } from '#kernel/event.ts';
import type { ReadModelOfTrace } from '#kernel/services/event-browser.ts';
import { oneLine } from './one-line.ts';

/**
 * A line of the server's log about a request. The level `debug` logs every request; failed ones are logged at
 * any level.
 */
export interface LogEntry {
  /** Milliseconds since 1970. */
  time: number;
  method: string;
  /** The pattern of the route: `/api/v1/statuses/:id`. */
  route: string;
  status: number;
  /** Milliseconds. */
  ms: number;
}

/** Returns the entry of this request; undefined for any other line. */
export function logEntryOf(line: string, id: string): LogEntry | undefined {
  try {
    const entry = JSON.parse(line) as LogEntry & { request?: string };
    return entry.request === id ? entry : undefined;
  } catch {
    return undefined;
  }
}

export const requestLine = ({ time, method, route, status, ms }: LogEntry): string =>
  oneLine(`${new Date(time).toISOString()} ${method} ${route}: ${status} in ${ms} ms`);

export const EVENT_HEAD = ['POSITION', 'TIME', 'EVENT', 'STREAM', 'BY', 'BECAUSE OF'];

/** Returns a row for each event: when and by whom it was written, and the event that a reactor acted on. */
export function eventRows(events: readonly RecordedEvent[]): string[][] {
  const positions = new Map(events.map(({ id, position }) => [id, String(position)]));
  return events.map(({ position, type, stream, revision, metadata }) => [
    String(position),
    metadata.time,
    type,
    `${stream}@${revision}`,
    authorOf(metadata),
    metadata.causation_id === undefined
      ? ''
      : (positions.get(metadata.causation_id) ?? metadata.causation_id),
  ]);
}

/** Returns an account with its role, a reactor, the command line, or the server that sent an activity. */
function authorOf({ rule, remote, actor }: EventMetadata): string {
  if (rule !== undefined) return rule;
  if (remote !== undefined) return remote;
  if (actor === undefined) return '';
  return actor.role === undefined ? actor.account_id : `${actor.account_id} (${actor.role})`;
}

export const MODEL_HEAD = ['READ MODEL', 'GROUP', 'TAKES', 'STATE'];

/** Returns a row for each read model that handles any of the events. */
export const modelRows = (models: readonly ReadModelOfTrace[]): string[][] =>
  models.map(({ name, group, takes, position, state }) => [
    name,
    group,
    takes.join(' '),
    STATES[state](position ?? ''),
  ]);

const STATES: Readonly<Record<ReadModelOfTrace['state'], (position: string) => string>> = {
  contains_them: () => 'holds them',
  behind: (position) => `is at ${position}`,
  halted: (position) => `halted at ${position}`,
  not_built: () => 'not built',
};
