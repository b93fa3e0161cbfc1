import type { QuotaItem } from '#events/quotas.ts';
import type { ScheduledStatusData, ScheduledStatusEvent } from '#events/scheduled-statuses.ts';
import { invalid } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import { scheduledCounts } from '#queries/scheduled-statuses/index.ts';
import { distinct, type Quota } from '../quotas/index.ts';
import type { ScheduledStatus } from './scheduled-status.ts';

/** As in Mastodon. */
const MAX_SCHEDULED = 300;
const MAX_PER_DAY = 25;
/** Milliseconds. https://docs.joinmastodon.org/methods/scheduled_statuses/#update */
const SHORTEST = 5 * 60_000;

/** Decides a new scheduled post. Pure. */
export const decideSchedule = (state: ScheduledStatus, data: ScheduledStatusData): ScheduledStatusEvent[] =>
  state.state === 'none' ? [{ type: 'StatusScheduled', data }] : [];

/** @throws RookeryError `invalid` for a time less than five minutes ahead */
export function checkMoment(moment: string, now: string): void {
  if (Date.parse(moment) <= Date.parse(now) + SHORTEST) {
    throw invalid('Validation failed: Scheduled at date must be in the future');
  }
}

/** The scheduled posts of an account including this one: in total, and on its day. */
export interface ScheduledCounts {
  total: number;
  sameDay: number;
}

/** Limits the posts that an account may schedule for one day (UTC), and in total when one is added. */
export const scheduledQuota = (
  db: Db,
  ownerId: string,
  { at, isNew }: { at: string; isNew: boolean },
): Quota<ScheduledStatus, ScheduledCounts> => ({
  name: 'scheduled-statuses',
  ownerId,
  taken: (before, after) => {
    const day = dayOf(after);
    return after.state === 'waiting' && day !== undefined && day !== dayOf(before)
      ? [{ id: after.data.id, day }]
      : [];
  },
  held: (items) => {
    const day = at.slice(0, 10);
    return scheduledCounts(db, ownerId, { ids: distinct(items), day, idsOfDay: distinct(onDay(items, day)) });
  },
  check: ({ total, sameDay }, items) =>
    checkLimits({
      total: isNew ? total + distinct(items).length : 0,
      sameDay: sameDay + distinct(onDay(items, at.slice(0, 10))).length,
    }),
});

const dayOf = (state: ScheduledStatus): string | undefined =>
  state.state === 'waiting' ? state.data.scheduled_at.slice(0, 10) : undefined;
const onDay = (items: readonly QuotaItem[], wanted: string): QuotaItem[] =>
  items.filter(({ day }) => day === wanted);

/** @throws RookeryError `invalid` */
export function checkLimits({ total, sameDay }: ScheduledCounts): void {
  if (total > MAX_SCHEDULED) {
    throw invalid(`Validation failed: You have exceeded the limit of ${MAX_SCHEDULED} scheduled posts`);
  }
  if (sameDay > MAX_PER_DAY) {
    throw invalid(
      `Validation failed: You have exceeded the limit of ${MAX_PER_DAY} scheduled posts for today`,
    );
  }
}
