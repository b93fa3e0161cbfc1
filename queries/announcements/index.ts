import { listAnnouncements } from './list.ts';

export { allAnnouncements } from './all.ts';
export { dueAnnouncements } from './due.ts';
export { announcementReactionText, announcementText, requirePublished } from './find.ts';

export const announcementQueries = [listAnnouncements];
