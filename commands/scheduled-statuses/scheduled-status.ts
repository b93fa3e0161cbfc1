import type { ScheduledStatusData, ScheduledStatusEvent } from '#events/scheduled-statuses.ts';
import type { Decider } from '#kernel/decider.ts';
import { notFound } from '#kernel/errors.ts';

/** The state for decisions about one scheduled post. */
export type ScheduledStatus =
  | { state: 'none' }
  | { state: 'cancelled' }
  | { state: 'waiting'; data: ScheduledStatusData }
  | { state: 'published' | 'failed'; data: ScheduledStatusData; statusId: string; pollId: string };

/** Stream `scheduled-status-<id>`. */
export const scheduledStatus: Decider<ScheduledStatus, ScheduledStatusEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    if (event.type === 'StatusScheduled') return { state: 'waiting', data: event.data };
    if (state.state === 'none' || state.state === 'cancelled') return state;
    switch (event.type) {
      case 'ScheduledStatusRescheduled':
        return { ...state, data: { ...state.data, scheduled_at: event.data.scheduled_at } };
      case 'ScheduledStatusMediaEdited':
        return { ...state, data: { ...state.data, media: event.data.media } };
      case 'ScheduledStatusCancelled':
        return { state: 'cancelled' };
      case 'ScheduledStatusPublished': {
        const { status_id: statusId, poll_id: pollId } = event.data;
        return { state: 'published', data: state.data, statusId, pollId };
      }
      case 'ScheduledStatusFailed':
        return state.state === 'waiting' ? state : { ...state, state: 'failed' };
    }
  },
};

/** Returns a waiting post of this account. @throws RookeryError `not_found` */
export function requireWaiting(state: ScheduledStatus, accountId: string): ScheduledStatusData {
  if (state.state !== 'waiting' || state.data.account_id !== accountId) throw notFound();
  return state.data;
}

/** Returns the ids of its uploads. */
export const mediaIdsOf = (state: ScheduledStatus): string[] =>
  'data' in state ? state.data.media.map(({ id }) => id) : [];
