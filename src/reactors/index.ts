import type { JobDefinition } from '#adapters/jobs/handler.ts';
import type { Reactor, Timer } from '#kernel/reactor.ts';
import {
  addressChangeMails,
  addressChanges,
  passwordChanges,
  passwordResetMails,
  twoFactorChanges,
  wrongCodeMails,
} from './account-mails.ts';
import { accountWarnings } from './account-warnings.ts';
import { alertTimer } from './alerts.ts';
import { announcementTimer } from './announcements.ts';
import { generateReport } from './annual-reports.ts';
import { appealDecisions } from './appeals.ts';
import { makeArchives } from './archives.ts';
import { damagedEventTimer } from './damaged-events.ts';
import { blockedDomains, severDomain, suspendedDomains } from './domain-blocks.ts';
import { cleanErased, cleaning, erasures } from './erasure.ts';
import { fetchFarReplies } from './far-replies.ts';
import { federationDelivery } from './federation-delivery.ts';
import { goneAccounts } from './gone-accounts.ts';
import { carryOutImport } from './imports.ts';
import { ipBlockTimer, liftedIpBlocks } from './ip-blocks.ts';
import { confirmHandle, lostHandles } from './lost-handles.ts';
import { processUpload, queueUploads, removeForgotten } from './media.ts';
import { movedAccounts } from './moved-accounts.ts';
import { pollResults, votesCast } from './poll-results.ts';
import { pollTimer } from './polls.ts';
import { previewCards } from './preview-cards.ts';
import { deliverPushes, pushNotifications } from './push.ts';
import { quoteRequests } from './quote-requests.ts';
import { rankingTimer } from './rankings.ts';
import {
  arrivingMedia,
  blockedMedia,
  fetchArrivingMedia,
  removedRemoteMedia,
  tidyRemoteMedia,
} from './remote-media.ts';
import { followedProfiles } from './remote-profiles.ts';
import { removeReplaced, replacedPictures } from './replaced-pictures.ts';
import { replacedUris } from './replaced-uris.ts';
import { scheduledStatusPublisher, scheduledStatusTimer } from './scheduled-statuses.ts';
import { appealMails, pendingSignUpMails, reportMails, trendReviewMails } from './staff-mails.ts';
import { finishStaffSanction, overruledMarks, removedMedia, sanctions } from './staff-removals.ts';
import {
  attachOrReleaseScheduled,
  attachOrReleaseStatusMedia,
  claimedUploads,
  releaseUnusedUpload,
} from './status-media.ts';
import { suspendedAccounts } from './suspended-accounts.ts';
import { fetchAncestors, replyLinks } from './threads.ts';
import { logVerificationTimer, logWitnessTimer, transparencyLogTimer } from './transparency-log.ts';
import { unlockedAccounts } from './unlocked-accounts.ts';
import { resolveUnresolvedMentions, unresolvedMentions } from './unresolved-mentions.ts';
import { newLinks, verifyProfileLink } from './verified-links.ts';

/** All reactors. */
export const reactors: readonly Reactor[] = [
  accountWarnings,
  addressChanges,
  appealDecisions,
  appealMails,
  arrivingMedia,
  blockedDomains,
  blockedMedia,
  erasures,
  cleaning,
  federationDelivery,
  followedProfiles,
  goneAccounts,
  liftedIpBlocks,
  lostHandles,
  movedAccounts,
  newLinks,
  overruledMarks,
  passwordChanges,
  pendingSignUpMails,
  previewCards,
  pushNotifications,
  queueUploads,
  removedMedia,
  removedRemoteMedia,
  replacedPictures,
  replacedUris,
  replyLinks,
  reportMails,
  sanctions,
  scheduledStatusPublisher,
  attachOrReleaseScheduled,
  attachOrReleaseStatusMedia,
  claimedUploads,
  suspendedAccounts,
  suspendedDomains,
  trendReviewMails,
  twoFactorChanges,
  unlockedAccounts,
  unresolvedMentions,
  votesCast,
];

/** All timers. */
export const timers: readonly Timer[] = [
  alertTimer,
  announcementTimer,
  transparencyLogTimer,
  damagedEventTimer,
  logVerificationTimer,
  logWitnessTimer,
  ipBlockTimer,
  pollTimer,
  rankingTimer,
  removeForgotten,
  scheduledStatusTimer,
];

/** All kinds of jobs. */
export const jobHandlers: readonly JobDefinition[] = [
  addressChangeMails,
  carryOutImport,
  confirmHandle,
  deliverPushes,
  fetchArrivingMedia,
  fetchFarReplies,
  finishStaffSanction,
  // Jobs keep the name that they were stored under.
  { ...finishStaffSanction, name: 'finish-measure' },
  generateReport,
  makeArchives,
  passwordResetMails,
  wrongCodeMails,
  pollResults,
  processUpload,
  quoteRequests,
  releaseUnusedUpload,
  removeReplaced,
  resolveUnresolvedMentions,
  fetchAncestors,
  severDomain,
  cleanErased,
  tidyRemoteMedia,
  verifyProfileLink,
];
