import type { AnnouncementContent } from '#events/announcements.ts';
import { type Db, statement } from '#kernel/read.ts';

const ALL = statement<AnnouncementOfStaff>(
  'announcements_all',
  'select id, content, published_at from announcements order by id desc limit 1000',
);

export interface AnnouncementOfStaff {
  id: string;
  content: AnnouncementContent;
  published_at: string | null;
}

/** Returns the newest thousand announcements, including unpublished ones. */
export const allAnnouncements = (db: Db): Promise<AnnouncementOfStaff[]> => db.query(ALL);
