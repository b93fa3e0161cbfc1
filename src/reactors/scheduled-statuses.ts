import { claimPublication } from '../../commands/scheduled-statuses/index.ts';
import { publishScheduled } from '../../commands/statuses/index.ts';
import { dueScheduled } from '../../queries/scheduled-statuses/index.ts';
import {
  ScheduledStatusPublished,
  ScheduledStatusRescheduled,
  StatusScheduled,
} from '../events/scheduled-statuses.ts';
import { MAIN } from '../kernel/projection.ts';
import { reactor, timer } from '../kernel/reactor.ts';

/** When the time of a scheduled status has come: claims the id of its post, once. */
export const scheduledStatusTimer = timer({
  name: 'scheduled-statuses',
  wakes: [StatusScheduled, ScheduledStatusRescheduled],
  reads: [MAIN],
  due: async (db, now, except) => {
    const { ids, next } = await dueScheduled(db, now, except);
    return { rows: ids.map((id) => ({ key: id })), next };
  },
  fire: (ctx, { key }) => claimPublication(ctx, key),
});

/** Posts what was claimed. */
export const scheduledStatusPublisher = reactor({
  name: 'publish-scheduled-statuses',
  on: [ScheduledStatusPublished],
  react: (ctx, { data }) => publishScheduled(ctx, data.id),
});
