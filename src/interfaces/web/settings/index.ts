import type { WebPage } from '../page/page.ts';
import { aliasesPage } from './aliases.ts';
import { applicationsPage } from './applications.ts';
import { archivePage } from './archive.ts';
import { confirmationPage } from './confirmation.ts';
import { deletePage } from './delete.ts';
import { exportFilePage, exportPage } from './export.ts';
import { forgottenPage, resetPage } from './forgotten-password.ts';
import { importFailuresPage, importPage } from './import.ts';
import { interactionPage } from './interaction.ts';
import { migrationPage } from './migration.ts';
import { newAddressPage } from './new-address.ts';
import { overviewPage } from './overview.ts';
import { preferencesPage } from './preferences.ts';
import { profilePage } from './profile.ts';
import { secondStepPage } from './second-step.ts';
import { securityPage } from './security.ts';
import { serverSetupPages } from './server/index.ts';
import { serverPages } from './server-pages.ts';
import { setupPage } from './setup.ts';
import { signInPage, signOutPage } from './sign-in.ts';
import { signUpPage } from './sign-up.ts';
import { strikePage, strikesPage } from './strikes.ts';
import { twoFactorPage } from './two-factor.ts';

/** Every page about the user's account; those of the navigation are in `page/settings-nav.ts` too. */
export const accountPages: readonly WebPage[] = [
  signInPage,
  secondStepPage,
  signOutPage,
  signUpPage,
  setupPage,
  confirmationPage,
  forgottenPage,
  resetPage,
  newAddressPage,
  interactionPage,
  overviewPage,
  profilePage,
  preferencesPage,
  securityPage,
  twoFactorPage,
  applicationsPage,
  exportPage,
  importPage,
  aliasesPage,
  migrationPage,
  strikesPage,
  deletePage,
  ...serverSetupPages,
  ...serverPages,
  // Before the page of any other file.
  archivePage,
  exportFilePage,
  importFailuresPage,
  strikePage,
];

/** The addresses that some pages have in Mastodon. */
export const MOVED: Readonly<Record<string, string>> = {
  // Password managers look here: https://w3c.github.io/webappsec-change-password-url/
  '/.well-known/change-password': securityPage.path,
  '/auth/edit': securityPage.path,
  '/oauth/authorized_applications': applicationsPage.path,
  '/settings/migration/redirect/new': migrationPage.path,
  '/disputes/strikes': strikesPage.path,
  '/settings/two_factor_authentication_methods': twoFactorPage.path,
  '/settings/privacy': profilePage.path,
  '/settings/verification': profilePage.path,
  '/settings/featured_tags': profilePage.path,
  '/settings/preferences/*topic': preferencesPage.path,
};
