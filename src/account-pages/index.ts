import { applicationsPage } from './applications.ts';
import { confirmationPage } from './confirmation.ts';
import { deletePage } from './delete.ts';
import { exportFilePage, exportPage } from './export.ts';
import { forgottenPage, resetPage } from './forgotten-password.ts';
import { importFailuresPage, importPage } from './import.ts';
import { newAddressPage } from './new-address.ts';
import { overviewPage } from './overview.ts';
import type { AccountPage } from './page.ts';
import { securityPage } from './security.ts';
import { setupPage } from './setup.ts';
import { signInPage, signOutPage } from './sign-in.ts';
import { signUpPage } from './sign-up.ts';

/** What has a line in the overview stands in this order there. */
const topics: readonly AccountPage[] = [securityPage, applicationsPage, exportPage, importPage, deletePage];

/** Every page about somebody's own account; a new one is listed here, or among the topics. */
export const accountPages: readonly AccountPage[] = [
  signInPage,
  signOutPage,
  signUpPage,
  setupPage,
  confirmationPage,
  forgottenPage,
  resetPage,
  newAddressPage,
  overviewPage(topics),
  ...topics,
  exportFilePage,
  importFailuresPage,
];

/** Where Mastodon has some of them, and people look for them. */
export const MOVED: Readonly<Record<string, string>> = {
  '/auth/edit': securityPage.path,
  '/oauth/authorized_applications': applicationsPage.path,
};
