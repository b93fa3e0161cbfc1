import { exportFilePage, exportPage } from './export.ts';
import { importFailuresPage, importPage } from './import.ts';
import { overviewPage } from './overview.ts';
import type { AccountPage } from './page.ts';
import { signInPage, signOutPage } from './sign-in.ts';

/** What has a line in the overview stands in this order there. */
const topics: readonly AccountPage[] = [exportPage, importPage];

/** Every page about somebody's own account; a new one is listed here, or among the topics. */
export const accountPages: readonly AccountPage[] = [
  signInPage,
  signOutPage,
  overviewPage(topics),
  ...topics,
  exportFilePage,
  importFailuresPage,
];
