import type { WebPage } from '#interfaces/web/page/page.ts';
import { accountListsPage } from './account-lists.ts';
import { accountActions } from './actions.ts';
import { blockDomainPage, blockPage, removeFollowerPage, unfollowPage } from './confirmations.ts';
import { directoryPage } from './directory.ts';
import { domainBlocksPage, newDomainBlockPage } from './domain-blocks.ts';
import { featuredPage } from './featured.ts';
import { followRequestsPage } from './follow-requests.ts';
import { followSettingsPage } from './follow-settings.ts';
import { followsPages } from './follows.ts';
import { interactPage } from './interact.ts';
import { morePage } from './more.ts';
import { mutePage } from './mute.ts';
import { notePage } from './note.ts';
import { ownListPages } from './own-lists.ts';
import { profilePages } from './profile.ts';
import { reportedPage, reportPage } from './report.ts';

/** People: profiles, follows, blocks, mutes, reports. */
export const peoplePages: readonly WebPage[] = [
  ...accountActions,
  ...ownListPages,
  followRequestsPage,
  newDomainBlockPage,
  domainBlocksPage,
  directoryPage,
  interactPage,
  ...followsPages,
  featuredPage,
  morePage,
  followSettingsPage,
  unfollowPage,
  accountListsPage,
  notePage,
  mutePage,
  blockPage,
  blockDomainPage,
  removeFollowerPage,
  reportPage,
  reportedPage,
  ...profilePages,
];
