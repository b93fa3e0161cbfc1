import type { EventMetadata, RecordedEvent } from '../kernel/event.ts';
import type { Projection } from '../kernel/projection.ts';
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

/** The state of a read model, from `durable.projections`. */
export interface Model {
  name: string;
  version: number;
  group: string;
  /** The position of the last event that it contains. */
  position: string;
  failed: boolean;
}

export const MODEL_HEAD = ['READ MODEL', 'GROUP', 'TAKES', 'STATE'];

/** Returns a row for each read model that handles any of the events. */
export function modelRows(
  events: readonly RecordedEvent[],
  projections: readonly Projection[],
  models: readonly Model[],
): string[][] {
  return projections.flatMap(({ name, version, group, handlers }) => {
    const types = new Set(handlers.map(({ type }) => type));
    const taken = events.filter(({ type }) => types.has(type)).map(({ position }) => position);
    if (taken.length === 0) return [];
    const model = models.find((each) => each.name === name && each.version === version);
    return [[name, group, taken.join(' '), stateOf(model, taken.at(-1) ?? 0n)]];
  });
}

function stateOf(model: Model | undefined, last: bigint): string {
  if (!model) return 'not built';
  if (BigInt(model.position) >= last) return 'holds them';
  return `${model.failed ? 'halted' : 'is'} at ${model.position}`;
}
