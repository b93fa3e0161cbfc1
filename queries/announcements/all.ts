import type { AnnouncementContent } from '../../src/events/announcements.ts';
import { statement, type Db } from '../../src/kernel/read.ts';

const ALL = statement(
  'announcements_all',
  'select id, content, published_at from announcements order by id desc limit 1000',
);

export interface AnnouncementOfStaff {
  id: string;
  content: AnnouncementContent;
  published_at: string | null;
}

/** Returns the newest thousand announcements, including unpublished ones. */
export const allAnnouncements = (db: Db): Promise<AnnouncementOfStaff[]> =>
  db.query<AnnouncementOfStaff>(ALL);
