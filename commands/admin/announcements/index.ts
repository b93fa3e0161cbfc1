export { adminAnnouncementCommands } from './endpoints.ts';
