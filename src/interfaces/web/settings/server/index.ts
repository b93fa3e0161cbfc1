import type { WebPage } from '#interfaces/web/page/page.ts';
import { backupPage } from './backup.ts';
import { mailPage } from './mail.ts';
import { namePage } from './name.ts';
import { registrationsPage } from './registrations.ts';
import { rulesPage } from './rules.ts';

/** The first steps of the owner of a new server. They change settings by the commands of the command line. */
export const serverSetupPages: readonly WebPage[] = [
  namePage,
  rulesPage,
  registrationsPage,
  mailPage,
  backupPage,
];
