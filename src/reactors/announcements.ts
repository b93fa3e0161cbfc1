import { applyAnnouncementSchedule } from '#commands/announcements/index.ts';
import { AnnouncementCreated, AnnouncementPublished, AnnouncementUpdated } from '#events/announcements.ts';
import { MAIN } from '#kernel/projection.ts';
import { timer } from '#kernel/reactor.ts';
import { dueAnnouncements } from '#queries/announcements/index.ts';

/** Publishes announcements at their time, and unpublishes them at their end. */
export const announcementTimer = timer({
  name: 'announcements',
  wakes: [AnnouncementCreated, AnnouncementUpdated, AnnouncementPublished],
  reads: [MAIN],
  due: dueAnnouncements,
  fire: (ctx, { announcementId }) => applyAnnouncementSchedule(ctx, announcementId),
});
