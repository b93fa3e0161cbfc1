import { dismissAnnouncement } from './dismiss.ts';
import { addReaction } from './react.ts';
import { removeReaction } from './unreact.ts';

export {
  createAnnouncement,
  deleteAnnouncement,
  publishAnnouncement,
  applyAnnouncementSchedule,
  unpublishAnnouncement,
  updateAnnouncement,
  type AnnouncementInput,
} from './manage.ts';

export const announcementCommands = [dismissAnnouncement, addReaction, removeReaction];
