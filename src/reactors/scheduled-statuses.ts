import { claimPublication } from '#commands/scheduled-statuses/index.ts';
import { publishScheduled } from '#commands/statuses/index.ts';
import {
  ScheduledStatusPublished,
  ScheduledStatusRescheduled,
  StatusScheduled,
} from '#events/scheduled-statuses.ts';
import { MAIN } from '#kernel/projection.ts';
import { reactor, timer } from '#kernel/reactor.ts';
import { dueScheduled } from '#queries/scheduled-statuses/index.ts';

/** Claims the id of the post, once, when its scheduled time has come. */
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

/** Publishes a claimed post. */
export const scheduledStatusPublisher = reactor({
  name: 'publish-scheduled-statuses',
  on: [ScheduledStatusPublished],
  react: (ctx, { data }) => publishScheduled(ctx, data.id),
});
