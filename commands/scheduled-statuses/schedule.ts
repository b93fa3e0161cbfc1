import type { ScheduledStatusData, ScheduledStatusEvent } from '../../src/events/scheduled-statuses.ts';
import { invalid } from '../../src/kernel/errors.ts';
import type { ScheduledStatus } from './scheduled-status.ts';

/** As Mastodon has them. */
const MAX_SCHEDULED = 300;
const MAX_PER_DAY = 25;
/** Milliseconds. https://docs.joinmastodon.org/methods/scheduled_statuses/#update */
const SHORTEST = 5 * 60_000;
/** Years are four digits where they are compared as texts. */
const LATEST = Date.UTC(9999, 0);

/**
 * The moment that a client asks for, ISO 8601 in UTC; without a zone it is UTC.
 * @throws RookeryError `invalid` for what is no date
 */
export function readMoment(text: string): string {
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) || !/\d[T ]\d/.test(text) ? text : `${text}Z`;
  const time = Date.parse(zoned);
  if (Number.isNaN(time) || time < 0 || time > LATEST) {
    throw invalid('Validation failed: Scheduled at is invalid');
  }
  return new Date(time).toISOString();
}

/** A post for a moment that is nearer than five minutes, or past, is not scheduled: it is posted at once. */
export const isFarEnough = (moment: string, now: string): boolean =>
  Date.parse(moment) > Date.parse(now) + SHORTEST;

export interface ScheduleFacts {
  /** Of the account, besides this one: in all, and on the day that this one is for. */
  total: number;
  sameDay: number;
}

/** A new scheduled post, or why not. Pure. @throws RookeryError `invalid` */
export function decideSchedule(
  state: ScheduledStatus,
  data: ScheduledStatusData,
  facts: ScheduleFacts,
): ScheduledStatusEvent[] {
  if (state.state !== 'none') return [];
  checkLimits(facts);
  return [{ type: 'StatusScheduled', data }];
}

/** @throws RookeryError `invalid` */
export function checkMoment(moment: string, now: string): void {
  if (!isFarEnough(moment, now)) {
    throw invalid('Validation failed: Scheduled at The scheduled date must be in the future');
  }
}

/** @throws RookeryError `invalid` */
export function checkLimits({ total, sameDay }: ScheduleFacts): void {
  if (total >= MAX_SCHEDULED) {
    throw invalid(`Validation failed: You have exceeded the limit of ${MAX_SCHEDULED} scheduled posts`);
  }
  if (sameDay >= MAX_PER_DAY) {
    throw invalid(
      `Validation failed: You have exceeded the limit of ${MAX_PER_DAY} scheduled posts for today`,
    );
  }
}
