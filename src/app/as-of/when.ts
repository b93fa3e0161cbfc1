import { RookeryError } from '#kernel/errors.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { readCertainMoment } from '#kernel/moments.ts';
import { lastEventUntil } from '#storage/eventlog/find-event.ts';
import type { EventLog } from '#storage/eventlog/port.ts';

/**
 * A point of the past as the operator names it: a position of the log, or a time in milliseconds since 1970.
 */
export type When = { position: bigint } | { time: number };

/** A place in the log; times are ISO 8601. */
export interface Point {
  position: bigint;
  event: RecordedEvent;
  /** The time of its event. */
  happenedAt: string;
  /** The moment that counts as now: the same, or just before the next event. */
  moment: string;
}

/**
 * Reads a position (`120`), a time (`2026-11-22T10:00:00Z`), in UTC where no zone is written, or a date, which
 * means its beginning in UTC.
 * @returns undefined for anything else
 */
export function readWhen(text: string): When | undefined {
  if (/^[0-9]{1,18}$/.test(text)) return { position: BigInt(text) };
  const moment = readCertainMoment(text);
  return moment === undefined ? undefined : { time: Date.parse(moment) };
}

/**
 * Finds a point in the log: an event, or the last one up to a time.
 * @throws RookeryError `not_found` when there is none
 */
export async function pointAt(log: EventLog, when: When): Promise<Point> {
  if ('time' in when) return pointOfTime(log, when.time);
  const event = await log.find(when.position);
  if (event) return pointOf(event, event.metadata.time);
  throw nothing(`The log has no event at position ${when.position}; it ends at ${await log.head()}`);
}

async function pointOfTime(log: EventLog, time: number): Promise<Point> {
  if (time > Date.now()) throw nothing('That time is still to come');
  const event = await lastEventUntil(log, time);
  if (event) return pointOf(event, new Date(time).toISOString());
  throw nothing('The log begins after that time');
}

const pointOf = (event: RecordedEvent, moment: string): Point => ({
  position: event.position,
  event,
  happenedAt: event.metadata.time,
  moment,
});

const nothing = (message: string): RookeryError => new RookeryError('not_found', message);
