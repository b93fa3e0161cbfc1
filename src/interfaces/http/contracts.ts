// Written by `npm run contracts`; CI fails when it is out of date.
import type { ContractOf } from '#kernel/endpoint.ts';
import type { updateCredentials } from '#commands/accounts/profile/update-credentials.ts';
import type { blockAccount, unblockAccount } from '#commands/accounts/relationships/block.ts';
import type {
  endorseAccount,
  pinAccount,
  unendorseAccount,
  unpinAccount,
} from '#commands/accounts/relationships/endorse.ts';
import type { followAccount } from '#commands/accounts/relationships/follow.ts';
import type { muteAccount, unmuteAccount } from '#commands/accounts/relationships/mute.ts';
import type { noteAccount } from '#commands/accounts/relationships/note.ts';
import type { removeFromFollowers } from '#commands/accounts/relationships/remove-from-followers.ts';
import type { unfollowAccount } from '#commands/accounts/relationships/unfollow.ts';
import type { signUp } from '#commands/accounts/sign-up.ts';
import type { actOnAccount } from '#commands/admin/accounts/action.ts';
import type { deleteAccount } from '#commands/admin/accounts/delete.ts';
import type {
  enableAccount,
  unsensitiveAccount,
  unsilenceAccount,
  unsuspendAccount,
} from '#commands/admin/accounts/lift.ts';
import type { approveAccount, rejectAccount } from '#commands/admin/accounts/sign-ups.ts';
import type { acknowledgeAlert } from '#commands/admin/alerts/acknowledge.ts';
import type { deleteAdminAnnouncement } from '#commands/admin/announcements/delete.ts';
import type {
  createAdminAnnouncement,
  publish,
  unpublish,
  updateAdminAnnouncement,
} from '#commands/admin/announcements/endpoints.ts';
import type { approveAppeal, rejectAppeal } from '#commands/admin/appeals.ts';
import type { exportAudit } from '#commands/admin/audit/download.ts';
import type { createCanonicalEmailBlock } from '#commands/admin/canonical-email-blocks/create.ts';
import type { deleteCanonicalEmailBlock } from '#commands/admin/canonical-email-blocks/delete.ts';
import type { testCanonicalEmail } from '#commands/admin/canonical-email-blocks/test.ts';
import type { deleteCustomEmoji } from '#commands/admin/custom-emojis/delete.ts';
import type { createCustomEmoji, updateCustomEmoji } from '#commands/admin/custom-emojis/endpoints.ts';
import type { createDomainAllow } from '#commands/admin/domain-allows/create.ts';
import type { deleteDomainAllow } from '#commands/admin/domain-allows/delete.ts';
import type { createDomainBlock } from '#commands/admin/domain-blocks/create.ts';
import type { deleteDomainBlock } from '#commands/admin/domain-blocks/delete.ts';
import type {
  importDomainAllows,
  importDomainBlocks,
} from '#commands/admin/domain-blocks/import-endpoint.ts';
import type { updateDomainBlock } from '#commands/admin/domain-blocks/update.ts';
import type { createEmailDomainBlock } from '#commands/admin/email-domain-blocks/create.ts';
import type { deleteEmailDomainBlock } from '#commands/admin/email-domain-blocks/delete.ts';
import type { giveUpHost, retryHost } from '#commands/admin/federation-hosts.ts';
import type { createIpBlock } from '#commands/admin/ip-blocks/create.ts';
import type { deleteIpBlock } from '#commands/admin/ip-blocks/delete.ts';
import type { updateIpBlock } from '#commands/admin/ip-blocks/update.ts';
import type { beginPastBuild, dropPastBuild } from '#commands/admin/past-builds/endpoints.ts';
import type {
  cancelProjectionRun,
  rebuildProjection,
  retryProjection,
  skipProjectionEvent,
  startProjectionRun,
  unskipProjectionEvent,
  verifyProjection,
} from '#commands/admin/projections/endpoints.ts';
import type { retryDeadLettersOf } from '#commands/admin/reactors.ts';
import type { createRelay, deleteRelay, disable, enable } from '#commands/admin/relays/endpoints.ts';
import type {
  assignReport,
  reopenReport,
  resolveReport,
  unassignReport,
} from '#commands/admin/reports/handle.ts';
import type { addReportNote } from '#commands/admin/reports/notes.ts';
import type { updateReport } from '#commands/admin/reports/update.ts';
import type { updateAccountRole } from '#commands/admin/roles.ts';
import type { deleteRule } from '#commands/admin/rules/delete.ts';
import type {
  createRule,
  moveRuleTo,
  removeTranslation,
  updateRule,
} from '#commands/admin/rules/endpoints.ts';
import type { updateSettings } from '#commands/admin/settings.ts';
import type {
  actOnAccountStatuses,
  actOnReport,
  deleteStatusAsStaff,
  markAsSensitive,
  unmarkAsSensitive,
} from '#commands/admin/statuses/endpoints.ts';
import type { createTerms } from '#commands/admin/terms.ts';
import type { dismissAnnouncement } from '#commands/announcements/dismiss.ts';
import type { addReaction } from '#commands/announcements/react.ts';
import type { removeReaction } from '#commands/announcements/unreact.ts';
import type { generateAnnualReport } from '#commands/annual-reports/generate.ts';
import type { readAnnualReport } from '#commands/annual-reports/read.ts';
import type { createApp } from '#commands/apps/create-app.ts';
import type { createCollection } from '#commands/collections/create.ts';
import type { deleteCollection } from '#commands/collections/delete.ts';
import type {
  addToCollection,
  removeFromCollection,
  revokeFromCollection,
} from '#commands/collections/items.ts';
import type { updateCollection } from '#commands/collections/update.ts';
import type { readConversation } from '#commands/conversations/read.ts';
import type { removeConversation } from '#commands/conversations/remove.ts';
import type { markConversationUnread } from '#commands/conversations/unread.ts';
import type { claimKeys, uploadKeys } from '#commands/crypto/keys.ts';
import type { clearMessages, deliverMessages } from '#commands/crypto/messages.ts';
import type { blockDomain } from '#commands/domain-blocks/block-domain.ts';
import type { unblockDomain } from '#commands/domain-blocks/unblock-domain.ts';
import type { resendConfirmation } from '#commands/emails.ts';
import type { createFeaturedTag, deleteFeaturedTag } from '#commands/featured-tags/feature.ts';
import type { addStatus } from '#commands/filters/add-status.ts';
import type { createKeyword } from '#commands/filters/create-keyword.ts';
import type { createV1Filter } from '#commands/filters/create-v1.ts';
import type { createFilter } from '#commands/filters/create.ts';
import type {
  deleteKeyword,
  deleteKeywordUnderV1,
  deleteV1Filter,
} from '#commands/filters/delete-keyword.ts';
import type { deleteFilter } from '#commands/filters/delete.ts';
import type { removeStatus } from '#commands/filters/remove-status.ts';
import type { updateKeyword, updateKeywordUnderV1 } from '#commands/filters/update-keyword.ts';
import type { updateV1Filter } from '#commands/filters/update-v1.ts';
import type { updateFilter } from '#commands/filters/update.ts';
import type { authorizeFollowRequest, rejectFollowRequest } from '#commands/follow-requests/answer.ts';
import type { followByName } from '#commands/follows.ts';
import type { addListAccounts } from '#commands/lists/add-accounts.ts';
import type { createList } from '#commands/lists/create.ts';
import type { deleteList } from '#commands/lists/delete.ts';
import type { removeListAccounts } from '#commands/lists/remove-accounts.ts';
import type { updateList } from '#commands/lists/update.ts';
import type { saveMarkers } from '#commands/markers/save.ts';
import type { deleteMedia } from '#commands/media/delete.ts';
import type { updateMedia } from '#commands/media/update.ts';
import type { uploadMedia, uploadMediaAndWait } from '#commands/media/upload.ts';
import type {
  acceptRequest,
  acceptRequests,
  dismissRequest,
  dismissRequests,
} from '#commands/notifications/answer-requests.ts';
import type { changePolicy, changeV1Policy } from '#commands/notifications/change-policy.ts';
import type {
  clearGroupedNotifications,
  clearNotifications,
  dismissGroup,
  dismissNotification,
} from '#commands/notifications/dismiss.ts';
import type { voteInPoll } from '#commands/polls.ts';
import type { updatePreferences } from '#commands/preferences.ts';
import type { deleteAvatar, deleteHeader } from '#commands/profile/delete-picture.ts';
import type { updateProfile } from '#commands/profile/update.ts';
import type { changePushSubscription } from '#commands/push/change.ts';
import type { subscribeToPush } from '#commands/push/subscribe.ts';
import type { unsubscribeFromPush } from '#commands/push/unsubscribe.ts';
import type { fileReport } from '#commands/reports/file.ts';
import type { cancelScheduledStatus } from '#commands/scheduled-statuses/cancel.ts';
import type { updateScheduledStatus } from '#commands/scheduled-statuses/update.ts';
import type { createStatus } from '#commands/statuses/create.ts';
import type { deleteStatus } from '#commands/statuses/delete.ts';
import type { editStatus } from '#commands/statuses/edit.ts';
import type { changeInteractionPolicy } from '#commands/statuses/interaction-policy.ts';
import type {
  bookmarkStatus,
  favouriteStatus,
  unbookmarkStatus,
  unfavouriteStatus,
} from '#commands/statuses/mark.ts';
import type { muteThread, unmuteThread } from '#commands/statuses/mute-thread.ts';
import type { pinStatus, unpinStatus } from '#commands/statuses/pin.ts';
import type { reblogStatus, unreblogStatus } from '#commands/statuses/reblog.ts';
import type { revokeQuote } from '#commands/statuses/revoke-quote.ts';
import type { fileAppeal } from '#commands/strikes/file-appeal.ts';
import type { withdrawOwnAppeal } from '#commands/strikes/withdraw-appeal.ts';
import type { dismissSuggestion } from '#commands/suggestions/dismiss.ts';
import type { featureTag, unfeatureTag } from '#commands/tags/feature.ts';
import type { followTag, unfollowTag } from '#commands/tags/follow.ts';
import type { translateStatus } from '#commands/translation/translate.ts';
import type { approveTag, changeTag, rejectTag } from '#commands/trends/change-tag.ts';
import type {
  approvePublisher,
  approveTrendingLink,
  approveTrendingStatus,
  rejectPublisher,
  rejectTrendingLink,
  rejectTrendingStatus,
} from '#commands/trends/review-trend.ts';
import type { verifyCredentials } from '#queries/accounts/credentials.ts';
import type { accountEndorsements } from '#queries/accounts/endorsements.ts';
import type { familiarFollowers } from '#queries/accounts/familiar-followers.ts';
import type { accountFollowers, accountFollowing } from '#queries/accounts/followers.ts';
import type { identityProofs } from '#queries/accounts/identity-proofs.ts';
import type { showRelationships } from '#queries/accounts/relationships.ts';
import type { searchForAccounts } from '#queries/accounts/search.ts';
import type { lookupAccount, showAccount, showAccounts } from '#queries/accounts/show.ts';
import type { accountStatuses } from '#queries/accounts/statuses.ts';
import type { listAccountsV1 } from '#queries/admin/accounts/list-v1.ts';
import type { listAccountsV2 } from '#queries/admin/accounts/list-v2.ts';
import type { showAccountRecord } from '#queries/admin/accounts/record.ts';
import type { showAdminAccount } from '#queries/admin/accounts/show.ts';
import type { listAlerts, showAlert } from '#queries/admin/alerts/endpoints.ts';
import type { listAdminAnnouncements, showAdminAnnouncement } from '#queries/admin/announcements.ts';
import type { listAdminAppeals, showAdminAppeal } from '#queries/admin/appeals/list.ts';
import type { showAuditCase } from '#queries/admin/audit-case/endpoint.ts';
import type { listAuditApplications } from '#queries/admin/audit/applications.ts';
import type { listAudit, showAuditEntry } from '#queries/admin/audit/list.ts';
import type { showStrikeNotice } from '#queries/admin/audit/notice.ts';
import type { showAuditStatistics } from '#queries/admin/audit/statistics.ts';
import type {
  listCanonicalEmailBlocks,
  showCanonicalEmailBlock,
} from '#queries/admin/canonical-email-blocks.ts';
import type {
  listAdminCustomEmojis,
  listEmojiCategories,
  showAdminCustomEmoji,
} from '#queries/admin/custom-emojis.ts';
import type { retrieveDimensions } from '#queries/admin/dimensions/retrieve.ts';
import type { listDomainAllows, showDomainAllow } from '#queries/admin/domain-allows.ts';
import type { listDomainBlocks, showDomainBlock } from '#queries/admin/domain-blocks/list.ts';
import type { listEmailDomainBlocks, showEmailDomainBlock } from '#queries/admin/email-domain-blocks/list.ts';
import type { listHosts, showHost } from '#queries/admin/federation-hosts.ts';
import type { showHealth } from '#queries/admin/health/endpoints.ts';
import type { listIpBlocks, showIpBlock } from '#queries/admin/ip-blocks/list.ts';
import type { showJobs } from '#queries/admin/jobs.ts';
import type { listEventTypes, listLog, showLogEvent, showTrace } from '#queries/admin/log/endpoints.ts';
import type { retrieveMeasures } from '#queries/admin/measures/retrieve.ts';
import type { listPastBuilds } from '#queries/admin/past-builds/endpoints.ts';
import type {
  listProjectionRuns,
  listProjections,
  showProjection,
  showProjectionRun,
} from '#queries/admin/projections.ts';
import type { listDeadLetters, listReactors, listTimers, showDeadLetter } from '#queries/admin/reactors.ts';
import type { listRelays, showRelay } from '#queries/admin/relays.ts';
import type { findSubjects } from '#queries/admin/replay/find.ts';
import type { showReplay } from '#queries/admin/replay/show.ts';
import type { showReportCase } from '#queries/admin/reports/case.ts';
import type { listAdminReports, showAdminReport } from '#queries/admin/reports/list.ts';
import type { listReportNotes } from '#queries/admin/reports/notes.ts';
import type { listReportQueue } from '#queries/admin/reports/queue.ts';
import type { retrieveRetention } from '#queries/admin/retention.ts';
import type { listRoles } from '#queries/admin/roles.ts';
import type { showSettings } from '#queries/admin/settings.ts';
import type { listTerms } from '#queries/admin/terms.ts';
import type {
  exportTransparencyReport,
  showTransparencyReport,
} from '#queries/admin/transparency/endpoints.ts';
import type { showTrouble } from '#queries/admin/trouble.ts';
import type { showWaiting } from '#queries/admin/waiting.ts';
import type { listAnnouncements } from '#queries/announcements/list.ts';
import type { listAnnualReports, showAnnualReport } from '#queries/annual-reports/show.ts';
import type { showAnnualReportState } from '#queries/annual-reports/state.ts';
import type { verifyAppCredentials } from '#queries/apps/verify-credentials.ts';
import type { showAsyncRefresh } from '#queries/async-refreshes.ts';
import type { listBlocks } from '#queries/blocks.ts';
import type { bookmarks } from '#queries/bookmarks.ts';
import type {
  accountCollections,
  accountCollectionsAsDocumented,
  accountInCollections,
  accountInCollectionsAsDocumented,
} from '#queries/collections/list.ts';
import type { showCollection } from '#queries/collections/show.ts';
import type { listConversations } from '#queries/conversations/list.ts';
import type { countKeys, queryKeys } from '#queries/crypto/keys.ts';
import type { listEncryptedMessages } from '#queries/crypto/messages.ts';
import type { listCustomEmojis } from '#queries/custom-emojis/list.ts';
import type { directory } from '#queries/directory.ts';
import type { listDomainBlocks as listDomainBlocks2 } from '#queries/domain-blocks/list.ts';
import type { previewDomainBlock } from '#queries/domain-blocks/preview.ts';
import type { checkConfirmation } from '#queries/emails.ts';
import type { listEndorsements } from '#queries/endorsements.ts';
import type { favourites } from '#queries/favourites.ts';
import type { accountFeaturedTags, listFeaturedTags } from '#queries/featured-tags/list.ts';
import type { suggestFeaturedTags } from '#queries/featured-tags/suggestions.ts';
import type { listKeywords, showKeyword, showKeywordUnderV1 } from '#queries/filters/keywords.ts';
import type { listFilters, showFilter } from '#queries/filters/list.ts';
import type { listFilterStatuses, showFilterStatus } from '#queries/filters/statuses.ts';
import type { listV1Filters, showV1Filter } from '#queries/filters/v1.ts';
import type { listFollowRequests } from '#queries/follow-requests/list.ts';
import type { listFollowedTags } from '#queries/followed-tags.ts';
import type { showActivity } from '#queries/instance/activity.ts';
import type { listInstanceDomainBlocks } from '#queries/instance/domain-blocks.ts';
import type { showDonationCampaign } from '#queries/instance/donation-campaigns.ts';
import type { listLanguages } from '#queries/instance/languages.ts';
import type { searchPeers } from '#queries/instance/peer-search.ts';
import type { listPeers } from '#queries/instance/peers.ts';
import type { listRules } from '#queries/instance/rules.ts';
import type { showInstanceV1 } from '#queries/instance/show-v1.ts';
import type { showInstance } from '#queries/instance/show.ts';
import type { showTerms, showTermsOfDate } from '#queries/instance/terms.ts';
import type { showExtendedDescription, showPrivacyPolicy } from '#queries/instance/texts.ts';
import type { listMembers, listsOfAccount } from '#queries/lists/accounts.ts';
import type { listLists, showList } from '#queries/lists/list.ts';
import type { showMarkers } from '#queries/markers.ts';
import type { showMedia } from '#queries/media/show.ts';
import type { listMutes } from '#queries/mutes.ts';
import type { listGroupAccounts, listGroups, showGroup } from '#queries/notifications/grouped.ts';
import type { listNotifications, showNotification } from '#queries/notifications/list.ts';
import type { showPolicy, showV1Policy } from '#queries/notifications/policy.ts';
import type { listRequests, requestsMerged, showRequest } from '#queries/notifications/requests.ts';
import type { unreadCount, unreadGroupCount } from '#queries/notifications/unread-count.ts';
import type { showOembed } from '#queries/oembed.ts';
import type { showPoll } from '#queries/polls/show.ts';
import type { showPreferences } from '#queries/preferences.ts';
import type { showProfile } from '#queries/profile.ts';
import type { showPushSubscription } from '#queries/push/show.ts';
import type { listScheduledStatuses, showScheduledStatus } from '#queries/scheduled-statuses/list.ts';
import type { search } from '#queries/search/search.ts';
import type { showContext } from '#queries/statuses/context.ts';
import type { showHistory } from '#queries/statuses/history.ts';
import type { favouritedBy, rebloggedBy } from '#queries/statuses/marked-by.ts';
import type { listQuotes } from '#queries/statuses/quotes.ts';
import type { showStatus, showStatuses } from '#queries/statuses/show.ts';
import type { showSource } from '#queries/statuses/source.ts';
import type { listStrikes, showStrike } from '#queries/strikes/own.ts';
import type { listSuggestedAccounts, listSuggestions } from '#queries/suggestions/list.ts';
import type { showTag } from '#queries/tags/show.ts';
import type { homeTimeline } from '#queries/timelines/home.ts';
import type { listTimeline } from '#queries/timelines/list.ts';
import type { linkTimeline, publicTimeline, tagTimeline } from '#queries/timelines/public.ts';
import type { translationLanguages } from '#queries/translation/languages.ts';
import type {
  compareCheckpoints,
  listCheckpoints,
  showCheckpointProof,
} from '#queries/transparency-log/checkpoints.ts';
import type { showConsistency } from '#queries/transparency-log/consistency.ts';
import type { showEntryProof } from '#queries/transparency-log/entry-proof.ts';
import type { showProof } from '#queries/transparency-log/proof.ts';
import type { showWitnesses } from '#queries/transparency-log/witnesses.ts';
import type { adminTrendingLinks, trendingLinks } from '#queries/trends/links.ts';
import type { listPublishers } from '#queries/trends/publishers.ts';
import type { adminTrendingStatuses, trendingStatuses } from '#queries/trends/statuses.ts';
import type {
  adminTrendingTags,
  listAdminTags,
  showAdminTag,
  trendingTags,
  trendingTagsOfOld,
} from '#queries/trends/tags.ts';

/** The contract of each endpoint, by its name without `/api/`. The compiler looks up one member at a time. */
export interface Contracts {
  'DELETE v1/admin/accounts/:id': ContractOf<typeof deleteAccount>;
  'DELETE v1/admin/announcements/:id': ContractOf<typeof deleteAdminAnnouncement>;
  'DELETE v1/admin/as_of/:position': ContractOf<typeof dropPastBuild>;
  'DELETE v1/admin/canonical_email_blocks/:id': ContractOf<typeof deleteCanonicalEmailBlock>;
  'DELETE v1/admin/custom_emojis/:id': ContractOf<typeof deleteCustomEmoji>;
  'DELETE v1/admin/domain_allows/:id': ContractOf<typeof deleteDomainAllow>;
  'DELETE v1/admin/domain_blocks/:id': ContractOf<typeof deleteDomainBlock>;
  'DELETE v1/admin/email_domain_blocks/:id': ContractOf<typeof deleteEmailDomainBlock>;
  'DELETE v1/admin/ip_blocks/:id': ContractOf<typeof deleteIpBlock>;
  'DELETE v1/admin/relays/:id': ContractOf<typeof deleteRelay>;
  'DELETE v1/admin/rules/:id': ContractOf<typeof deleteRule>;
  'DELETE v1/announcements/:id/reactions/:name': ContractOf<typeof removeReaction>;
  'DELETE v1/collections/:collection_id/items/:id': ContractOf<typeof removeFromCollection>;
  'DELETE v1/collections/:id': ContractOf<typeof deleteCollection>;
  'DELETE v1/conversations/:id': ContractOf<typeof removeConversation>;
  'DELETE v1/domain_blocks': ContractOf<typeof unblockDomain>;
  'DELETE v1/featured_tags/:id': ContractOf<typeof deleteFeaturedTag>;
  'DELETE v1/filters/:id': ContractOf<typeof deleteV1Filter>;
  'DELETE v1/filters/keywords/:id': ContractOf<typeof deleteKeywordUnderV1>;
  'DELETE v1/lists/:id': ContractOf<typeof deleteList>;
  'DELETE v1/lists/:id/accounts': ContractOf<typeof removeListAccounts>;
  'DELETE v1/media/:id': ContractOf<typeof deleteMedia>;
  'DELETE v1/profile/avatar': ContractOf<typeof deleteAvatar>;
  'DELETE v1/profile/header': ContractOf<typeof deleteHeader>;
  'DELETE v1/push/subscription': ContractOf<typeof unsubscribeFromPush>;
  'DELETE v1/scheduled_statuses/:id': ContractOf<typeof cancelScheduledStatus>;
  'DELETE v1/statuses/:id': ContractOf<typeof deleteStatus>;
  'DELETE v1/strikes/:id/appeal': ContractOf<typeof withdrawOwnAppeal>;
  'DELETE v1/suggestions/:account_id': ContractOf<typeof dismissSuggestion>;
  'DELETE v2/filters/:id': ContractOf<typeof deleteFilter>;
  'DELETE v2/filters/keywords/:id': ContractOf<typeof deleteKeyword>;
  'DELETE v2/filters/statuses/:id': ContractOf<typeof removeStatus>;
  'GET oembed': ContractOf<typeof showOembed>;
  'GET v1/:account_id/collections': ContractOf<typeof accountCollectionsAsDocumented>;
  'GET v1/:account_id/in_collections': ContractOf<typeof accountInCollectionsAsDocumented>;
  'GET v1/accounts': ContractOf<typeof showAccounts>;
  'GET v1/accounts/:account_id/collections': ContractOf<typeof accountCollections>;
  'GET v1/accounts/:account_id/in_collections': ContractOf<typeof accountInCollections>;
  'GET v1/accounts/:id': ContractOf<typeof showAccount>;
  'GET v1/accounts/:id/endorsements': ContractOf<typeof accountEndorsements>;
  'GET v1/accounts/:id/featured_tags': ContractOf<typeof accountFeaturedTags>;
  'GET v1/accounts/:id/followers': ContractOf<typeof accountFollowers>;
  'GET v1/accounts/:id/following': ContractOf<typeof accountFollowing>;
  'GET v1/accounts/:id/identity_proofs': ContractOf<typeof identityProofs>;
  'GET v1/accounts/:id/lists': ContractOf<typeof listsOfAccount>;
  'GET v1/accounts/:id/statuses': ContractOf<typeof accountStatuses>;
  'GET v1/accounts/familiar_followers': ContractOf<typeof familiarFollowers>;
  'GET v1/accounts/lookup': ContractOf<typeof lookupAccount>;
  'GET v1/accounts/relationships': ContractOf<typeof showRelationships>;
  'GET v1/accounts/search': ContractOf<typeof searchForAccounts>;
  'GET v1/accounts/verify_credentials': ContractOf<typeof verifyCredentials>;
  'GET v1/admin/accounts': ContractOf<typeof listAccountsV1>;
  'GET v1/admin/accounts/:id': ContractOf<typeof showAdminAccount>;
  'GET v1/admin/accounts/:id/record': ContractOf<typeof showAccountRecord>;
  'GET v1/admin/alerts': ContractOf<typeof listAlerts>;
  'GET v1/admin/alerts/:id': ContractOf<typeof showAlert>;
  'GET v1/admin/announcements': ContractOf<typeof listAdminAnnouncements>;
  'GET v1/admin/announcements/:id': ContractOf<typeof showAdminAnnouncement>;
  'GET v1/admin/appeals': ContractOf<typeof listAdminAppeals>;
  'GET v1/admin/appeals/:id': ContractOf<typeof showAdminAppeal>;
  'GET v1/admin/as_of': ContractOf<typeof listPastBuilds>;
  'GET v1/admin/audit': ContractOf<typeof listAudit>;
  'GET v1/admin/audit/:id': ContractOf<typeof showAuditEntry>;
  'GET v1/admin/audit/:id/case': ContractOf<typeof showAuditCase>;
  'GET v1/admin/audit/:id/proof': ContractOf<typeof showEntryProof>;
  'GET v1/admin/audit/applications': ContractOf<typeof listAuditApplications>;
  'GET v1/admin/audit/checkpoints': ContractOf<typeof listCheckpoints>;
  'GET v1/admin/audit/checkpoints/:size': ContractOf<typeof showCheckpointProof>;
  'GET v1/admin/audit/consistency': ContractOf<typeof showConsistency>;
  'GET v1/admin/audit/proof': ContractOf<typeof showProof>;
  'GET v1/admin/audit/statistics': ContractOf<typeof showAuditStatistics>;
  'GET v1/admin/audit/subjects': ContractOf<typeof findSubjects>;
  'GET v1/admin/audit/subjects/:kind/:id': ContractOf<typeof showReplay>;
  'GET v1/admin/audit/witnesses': ContractOf<typeof showWitnesses>;
  'GET v1/admin/audit_export': ContractOf<typeof exportAudit>;
  'GET v1/admin/canonical_email_blocks': ContractOf<typeof listCanonicalEmailBlocks>;
  'GET v1/admin/canonical_email_blocks/:id': ContractOf<typeof showCanonicalEmailBlock>;
  'GET v1/admin/custom_emojis': ContractOf<typeof listAdminCustomEmojis>;
  'GET v1/admin/custom_emojis/:id': ContractOf<typeof showAdminCustomEmoji>;
  'GET v1/admin/custom_emojis/categories': ContractOf<typeof listEmojiCategories>;
  'GET v1/admin/domain_allows': ContractOf<typeof listDomainAllows>;
  'GET v1/admin/domain_allows/:id': ContractOf<typeof showDomainAllow>;
  'GET v1/admin/domain_blocks': ContractOf<typeof listDomainBlocks>;
  'GET v1/admin/domain_blocks/:id': ContractOf<typeof showDomainBlock>;
  'GET v1/admin/email_domain_blocks': ContractOf<typeof listEmailDomainBlocks>;
  'GET v1/admin/email_domain_blocks/:id': ContractOf<typeof showEmailDomainBlock>;
  'GET v1/admin/federation/hosts': ContractOf<typeof listHosts>;
  'GET v1/admin/federation/hosts/:host': ContractOf<typeof showHost>;
  'GET v1/admin/health': ContractOf<typeof showHealth>;
  'GET v1/admin/ip_blocks': ContractOf<typeof listIpBlocks>;
  'GET v1/admin/ip_blocks/:id': ContractOf<typeof showIpBlock>;
  'GET v1/admin/jobs': ContractOf<typeof showJobs>;
  'GET v1/admin/log': ContractOf<typeof listLog>;
  'GET v1/admin/log/:position': ContractOf<typeof showLogEvent>;
  'GET v1/admin/log/types': ContractOf<typeof listEventTypes>;
  'GET v1/admin/projections': ContractOf<typeof listProjections>;
  'GET v1/admin/projections/:name': ContractOf<typeof showProjection>;
  'GET v1/admin/projections/runs': ContractOf<typeof listProjectionRuns>;
  'GET v1/admin/projections/runs/:id': ContractOf<typeof showProjectionRun>;
  'GET v1/admin/reactors': ContractOf<typeof listReactors>;
  'GET v1/admin/reactors/:reactor/dead_letters/:event_id': ContractOf<typeof showDeadLetter>;
  'GET v1/admin/reactors/dead_letters': ContractOf<typeof listDeadLetters>;
  'GET v1/admin/relays': ContractOf<typeof listRelays>;
  'GET v1/admin/relays/:id': ContractOf<typeof showRelay>;
  'GET v1/admin/reports': ContractOf<typeof listAdminReports>;
  'GET v1/admin/reports/:id': ContractOf<typeof showAdminReport>;
  'GET v1/admin/reports/:id/case': ContractOf<typeof showReportCase>;
  'GET v1/admin/reports/:id/notes': ContractOf<typeof listReportNotes>;
  'GET v1/admin/reports/queue': ContractOf<typeof listReportQueue>;
  'GET v1/admin/roles': ContractOf<typeof listRoles>;
  'GET v1/admin/settings': ContractOf<typeof showSettings>;
  'GET v1/admin/strikes/:strike_id/notice': ContractOf<typeof showStrikeNotice>;
  'GET v1/admin/tags': ContractOf<typeof listAdminTags>;
  'GET v1/admin/tags/:id': ContractOf<typeof showAdminTag>;
  'GET v1/admin/terms': ContractOf<typeof listTerms>;
  'GET v1/admin/timers': ContractOf<typeof listTimers>;
  'GET v1/admin/trace/:correlation': ContractOf<typeof showTrace>;
  'GET v1/admin/transparency': ContractOf<typeof showTransparencyReport>;
  'GET v1/admin/transparency/csv': ContractOf<typeof exportTransparencyReport>;
  'GET v1/admin/trends/links': ContractOf<typeof adminTrendingLinks>;
  'GET v1/admin/trends/links/publishers': ContractOf<typeof listPublishers>;
  'GET v1/admin/trends/statuses': ContractOf<typeof adminTrendingStatuses>;
  'GET v1/admin/trends/tags': ContractOf<typeof adminTrendingTags>;
  'GET v1/admin/trouble': ContractOf<typeof showTrouble>;
  'GET v1/admin/waiting': ContractOf<typeof showWaiting>;
  'GET v1/announcements': ContractOf<typeof listAnnouncements>;
  'GET v1/annual_reports': ContractOf<typeof listAnnualReports>;
  'GET v1/annual_reports/:year': ContractOf<typeof showAnnualReport>;
  'GET v1/annual_reports/:year/state': ContractOf<typeof showAnnualReportState>;
  'GET v1/apps/verify_credentials': ContractOf<typeof verifyAppCredentials>;
  'GET v1/blocks': ContractOf<typeof listBlocks>;
  'GET v1/bookmarks': ContractOf<typeof bookmarks>;
  'GET v1/collections/:id': ContractOf<typeof showCollection>;
  'GET v1/conversations': ContractOf<typeof listConversations>;
  'GET v1/crypto/encrypted_messages': ContractOf<typeof listEncryptedMessages>;
  'GET v1/crypto/keys/count': ContractOf<typeof countKeys>;
  'GET v1/custom_emojis': ContractOf<typeof listCustomEmojis>;
  'GET v1/directory': ContractOf<typeof directory>;
  'GET v1/domain_blocks': ContractOf<typeof listDomainBlocks2>;
  'GET v1/domain_blocks/preview': ContractOf<typeof previewDomainBlock>;
  'GET v1/donation_campaigns': ContractOf<typeof showDonationCampaign>;
  'GET v1/emails/check_confirmation': ContractOf<typeof checkConfirmation>;
  'GET v1/endorsements': ContractOf<typeof listEndorsements>;
  'GET v1/favourites': ContractOf<typeof favourites>;
  'GET v1/featured_tags': ContractOf<typeof listFeaturedTags>;
  'GET v1/featured_tags/suggestions': ContractOf<typeof suggestFeaturedTags>;
  'GET v1/filters': ContractOf<typeof listV1Filters>;
  'GET v1/filters/:id': ContractOf<typeof showV1Filter>;
  'GET v1/filters/keywords/:id': ContractOf<typeof showKeywordUnderV1>;
  'GET v1/follow_requests': ContractOf<typeof listFollowRequests>;
  'GET v1/followed_tags': ContractOf<typeof listFollowedTags>;
  'GET v1/instance': ContractOf<typeof showInstanceV1>;
  'GET v1/instance/activity': ContractOf<typeof showActivity>;
  'GET v1/instance/domain_blocks': ContractOf<typeof listInstanceDomainBlocks>;
  'GET v1/instance/extended_description': ContractOf<typeof showExtendedDescription>;
  'GET v1/instance/languages': ContractOf<typeof listLanguages>;
  'GET v1/instance/peers': ContractOf<typeof listPeers>;
  'GET v1/instance/privacy_policy': ContractOf<typeof showPrivacyPolicy>;
  'GET v1/instance/rules': ContractOf<typeof listRules>;
  'GET v1/instance/terms_of_service': ContractOf<typeof showTerms>;
  'GET v1/instance/terms_of_service/:date': ContractOf<typeof showTermsOfDate>;
  'GET v1/instance/translation_languages': ContractOf<typeof translationLanguages>;
  'GET v1/lists': ContractOf<typeof listLists>;
  'GET v1/lists/:id': ContractOf<typeof showList>;
  'GET v1/lists/:id/accounts': ContractOf<typeof listMembers>;
  'GET v1/markers': ContractOf<typeof showMarkers>;
  'GET v1/media/:id': ContractOf<typeof showMedia>;
  'GET v1/mutes': ContractOf<typeof listMutes>;
  'GET v1/notifications': ContractOf<typeof listNotifications>;
  'GET v1/notifications/:id': ContractOf<typeof showNotification>;
  'GET v1/notifications/policy': ContractOf<typeof showV1Policy>;
  'GET v1/notifications/requests': ContractOf<typeof listRequests>;
  'GET v1/notifications/requests/:id': ContractOf<typeof showRequest>;
  'GET v1/notifications/requests/merged': ContractOf<typeof requestsMerged>;
  'GET v1/notifications/unread_count': ContractOf<typeof unreadCount>;
  'GET v1/peers/search': ContractOf<typeof searchPeers>;
  'GET v1/polls/:id': ContractOf<typeof showPoll>;
  'GET v1/preferences': ContractOf<typeof showPreferences>;
  'GET v1/profile': ContractOf<typeof showProfile>;
  'GET v1/push/subscription': ContractOf<typeof showPushSubscription>;
  'GET v1/scheduled_statuses': ContractOf<typeof listScheduledStatuses>;
  'GET v1/scheduled_statuses/:id': ContractOf<typeof showScheduledStatus>;
  'GET v1/statuses': ContractOf<typeof showStatuses>;
  'GET v1/statuses/:id': ContractOf<typeof showStatus>;
  'GET v1/statuses/:id/context': ContractOf<typeof showContext>;
  'GET v1/statuses/:id/favourited_by': ContractOf<typeof favouritedBy>;
  'GET v1/statuses/:id/history': ContractOf<typeof showHistory>;
  'GET v1/statuses/:id/quotes': ContractOf<typeof listQuotes>;
  'GET v1/statuses/:id/reblogged_by': ContractOf<typeof rebloggedBy>;
  'GET v1/statuses/:id/source': ContractOf<typeof showSource>;
  'GET v1/strikes': ContractOf<typeof listStrikes>;
  'GET v1/strikes/:id': ContractOf<typeof showStrike>;
  'GET v1/suggestions': ContractOf<typeof listSuggestedAccounts>;
  'GET v1/tags/:name': ContractOf<typeof showTag>;
  'GET v1/timelines/home': ContractOf<typeof homeTimeline>;
  'GET v1/timelines/link': ContractOf<typeof linkTimeline>;
  'GET v1/timelines/list/:list_id': ContractOf<typeof listTimeline>;
  'GET v1/timelines/public': ContractOf<typeof publicTimeline>;
  'GET v1/timelines/tag/:hashtag': ContractOf<typeof tagTimeline>;
  'GET v1/trends': ContractOf<typeof trendingTagsOfOld>;
  'GET v1/trends/links': ContractOf<typeof trendingLinks>;
  'GET v1/trends/statuses': ContractOf<typeof trendingStatuses>;
  'GET v1/trends/tags': ContractOf<typeof trendingTags>;
  'GET v1_alpha/async_refreshes/:id': ContractOf<typeof showAsyncRefresh>;
  'GET v2/admin/accounts': ContractOf<typeof listAccountsV2>;
  'GET v2/filters': ContractOf<typeof listFilters>;
  'GET v2/filters/:filter_id/keywords': ContractOf<typeof listKeywords>;
  'GET v2/filters/:filter_id/statuses': ContractOf<typeof listFilterStatuses>;
  'GET v2/filters/:id': ContractOf<typeof showFilter>;
  'GET v2/filters/keywords/:id': ContractOf<typeof showKeyword>;
  'GET v2/filters/statuses/:id': ContractOf<typeof showFilterStatus>;
  'GET v2/instance': ContractOf<typeof showInstance>;
  'GET v2/notifications': ContractOf<typeof listGroups>;
  'GET v2/notifications/:group_key': ContractOf<typeof showGroup>;
  'GET v2/notifications/:group_key/accounts': ContractOf<typeof listGroupAccounts>;
  'GET v2/notifications/policy': ContractOf<typeof showPolicy>;
  'GET v2/notifications/unread_count': ContractOf<typeof unreadGroupCount>;
  'GET v2/search': ContractOf<typeof search>;
  'GET v2/suggestions': ContractOf<typeof listSuggestions>;
  'PATCH v1/accounts/update_credentials': ContractOf<typeof updateCredentials>;
  'PATCH v1/collections/:id': ContractOf<typeof updateCollection>;
  'PATCH v1/notifications/policy': ContractOf<typeof changeV1Policy>;
  'PATCH v1/preferences': ContractOf<typeof updatePreferences>;
  'PATCH v1/profile': ContractOf<typeof updateProfile>;
  'PATCH v2/notifications/policy': ContractOf<typeof changePolicy>;
  'POST v1/accounts': ContractOf<typeof signUp>;
  'POST v1/accounts/:id/block': ContractOf<typeof blockAccount>;
  'POST v1/accounts/:id/endorse': ContractOf<typeof endorseAccount>;
  'POST v1/accounts/:id/follow': ContractOf<typeof followAccount>;
  'POST v1/accounts/:id/mute': ContractOf<typeof muteAccount>;
  'POST v1/accounts/:id/note': ContractOf<typeof noteAccount>;
  'POST v1/accounts/:id/pin': ContractOf<typeof pinAccount>;
  'POST v1/accounts/:id/remove_from_followers': ContractOf<typeof removeFromFollowers>;
  'POST v1/accounts/:id/unblock': ContractOf<typeof unblockAccount>;
  'POST v1/accounts/:id/unendorse': ContractOf<typeof unendorseAccount>;
  'POST v1/accounts/:id/unfollow': ContractOf<typeof unfollowAccount>;
  'POST v1/accounts/:id/unmute': ContractOf<typeof unmuteAccount>;
  'POST v1/accounts/:id/unpin': ContractOf<typeof unpinAccount>;
  'POST v1/admin/accounts/:id/action': ContractOf<typeof actOnAccount>;
  'POST v1/admin/accounts/:id/approve': ContractOf<typeof approveAccount>;
  'POST v1/admin/accounts/:id/enable': ContractOf<typeof enableAccount>;
  'POST v1/admin/accounts/:id/reject': ContractOf<typeof rejectAccount>;
  'POST v1/admin/accounts/:id/statuses/action': ContractOf<typeof actOnAccountStatuses>;
  'POST v1/admin/accounts/:id/unsensitive': ContractOf<typeof unsensitiveAccount>;
  'POST v1/admin/accounts/:id/unsilence': ContractOf<typeof unsilenceAccount>;
  'POST v1/admin/accounts/:id/unsuspend': ContractOf<typeof unsuspendAccount>;
  'POST v1/admin/alerts/:id/acknowledge': ContractOf<typeof acknowledgeAlert>;
  'POST v1/admin/announcements': ContractOf<typeof createAdminAnnouncement>;
  'POST v1/admin/announcements/:id/publish': ContractOf<typeof publish>;
  'POST v1/admin/announcements/:id/unpublish': ContractOf<typeof unpublish>;
  'POST v1/admin/appeals/:id/approve': ContractOf<typeof approveAppeal>;
  'POST v1/admin/appeals/:id/reject': ContractOf<typeof rejectAppeal>;
  'POST v1/admin/as_of': ContractOf<typeof beginPastBuild>;
  'POST v1/admin/audit/checkpoints/compare': ContractOf<typeof compareCheckpoints>;
  'POST v1/admin/canonical_email_blocks': ContractOf<typeof createCanonicalEmailBlock>;
  'POST v1/admin/canonical_email_blocks/test': ContractOf<typeof testCanonicalEmail>;
  'POST v1/admin/custom_emojis': ContractOf<typeof createCustomEmoji>;
  'POST v1/admin/dimensions': ContractOf<typeof retrieveDimensions>;
  'POST v1/admin/domain_allows': ContractOf<typeof createDomainAllow>;
  'POST v1/admin/domain_allows/import': ContractOf<typeof importDomainAllows>;
  'POST v1/admin/domain_blocks': ContractOf<typeof createDomainBlock>;
  'POST v1/admin/domain_blocks/import': ContractOf<typeof importDomainBlocks>;
  'POST v1/admin/email_domain_blocks': ContractOf<typeof createEmailDomainBlock>;
  'POST v1/admin/federation/hosts/:host/give_up': ContractOf<typeof giveUpHost>;
  'POST v1/admin/federation/hosts/:host/retry': ContractOf<typeof retryHost>;
  'POST v1/admin/ip_blocks': ContractOf<typeof createIpBlock>;
  'POST v1/admin/measures': ContractOf<typeof retrieveMeasures>;
  'POST v1/admin/projections/:name/rebuild': ContractOf<typeof rebuildProjection>;
  'POST v1/admin/projections/:name/retry': ContractOf<typeof retryProjection>;
  'POST v1/admin/projections/:name/runs': ContractOf<typeof startProjectionRun>;
  'POST v1/admin/projections/:name/skip': ContractOf<typeof skipProjectionEvent>;
  'POST v1/admin/projections/:name/unskip': ContractOf<typeof unskipProjectionEvent>;
  'POST v1/admin/projections/:name/verify': ContractOf<typeof verifyProjection>;
  'POST v1/admin/projections/runs/:id/cancel': ContractOf<typeof cancelProjectionRun>;
  'POST v1/admin/reactors/dead_letters/retry': ContractOf<typeof retryDeadLettersOf>;
  'POST v1/admin/relays': ContractOf<typeof createRelay>;
  'POST v1/admin/relays/:id/disable': ContractOf<typeof disable>;
  'POST v1/admin/relays/:id/enable': ContractOf<typeof enable>;
  'POST v1/admin/reports/:id/action': ContractOf<typeof actOnReport>;
  'POST v1/admin/reports/:id/assign_to_self': ContractOf<typeof assignReport>;
  'POST v1/admin/reports/:id/notes': ContractOf<typeof addReportNote>;
  'POST v1/admin/reports/:id/reopen': ContractOf<typeof reopenReport>;
  'POST v1/admin/reports/:id/resolve': ContractOf<typeof resolveReport>;
  'POST v1/admin/reports/:id/unassign': ContractOf<typeof unassignReport>;
  'POST v1/admin/retention': ContractOf<typeof retrieveRetention>;
  'POST v1/admin/rules': ContractOf<typeof createRule>;
  'POST v1/admin/rules/:id/move': ContractOf<typeof moveRuleTo>;
  'POST v1/admin/rules/:id/remove_translation': ContractOf<typeof removeTranslation>;
  'POST v1/admin/statuses/:id/delete': ContractOf<typeof deleteStatusAsStaff>;
  'POST v1/admin/statuses/:id/mark_as_sensitive': ContractOf<typeof markAsSensitive>;
  'POST v1/admin/statuses/:id/unmark_as_sensitive': ContractOf<typeof unmarkAsSensitive>;
  'POST v1/admin/terms': ContractOf<typeof createTerms>;
  'POST v1/admin/trends/links/:id/approve': ContractOf<typeof approveTrendingLink>;
  'POST v1/admin/trends/links/:id/reject': ContractOf<typeof rejectTrendingLink>;
  'POST v1/admin/trends/links/publishers/:id/approve': ContractOf<typeof approvePublisher>;
  'POST v1/admin/trends/links/publishers/:id/reject': ContractOf<typeof rejectPublisher>;
  'POST v1/admin/trends/statuses/:id/approve': ContractOf<typeof approveTrendingStatus>;
  'POST v1/admin/trends/statuses/:id/reject': ContractOf<typeof rejectTrendingStatus>;
  'POST v1/admin/trends/tags/:id/approve': ContractOf<typeof approveTag>;
  'POST v1/admin/trends/tags/:id/reject': ContractOf<typeof rejectTag>;
  'POST v1/announcements/:id/dismiss': ContractOf<typeof dismissAnnouncement>;
  'POST v1/annual_reports/:year/generate': ContractOf<typeof generateAnnualReport>;
  'POST v1/annual_reports/:year/read': ContractOf<typeof readAnnualReport>;
  'POST v1/apps': ContractOf<typeof createApp>;
  'POST v1/collections': ContractOf<typeof createCollection>;
  'POST v1/collections/:collection_id/items': ContractOf<typeof addToCollection>;
  'POST v1/collections/:collection_id/items/:id/revoke': ContractOf<typeof revokeFromCollection>;
  'POST v1/conversations/:id/read': ContractOf<typeof readConversation>;
  'POST v1/conversations/:id/unread': ContractOf<typeof markConversationUnread>;
  'POST v1/crypto/deliveries': ContractOf<typeof deliverMessages>;
  'POST v1/crypto/encrypted_messages/clear': ContractOf<typeof clearMessages>;
  'POST v1/crypto/keys/claim': ContractOf<typeof claimKeys>;
  'POST v1/crypto/keys/query': ContractOf<typeof queryKeys>;
  'POST v1/crypto/keys/upload': ContractOf<typeof uploadKeys>;
  'POST v1/domain_blocks': ContractOf<typeof blockDomain>;
  'POST v1/emails/confirmations': ContractOf<typeof resendConfirmation>;
  'POST v1/featured_tags': ContractOf<typeof createFeaturedTag>;
  'POST v1/filters': ContractOf<typeof createV1Filter>;
  'POST v1/follow_requests/:account_id/authorize': ContractOf<typeof authorizeFollowRequest>;
  'POST v1/follow_requests/:account_id/reject': ContractOf<typeof rejectFollowRequest>;
  'POST v1/follows': ContractOf<typeof followByName>;
  'POST v1/lists': ContractOf<typeof createList>;
  'POST v1/lists/:id/accounts': ContractOf<typeof addListAccounts>;
  'POST v1/markers': ContractOf<typeof saveMarkers>;
  'POST v1/media': ContractOf<typeof uploadMediaAndWait>;
  'POST v1/notifications/:id/dismiss': ContractOf<typeof dismissNotification>;
  'POST v1/notifications/clear': ContractOf<typeof clearNotifications>;
  'POST v1/notifications/requests/:id/accept': ContractOf<typeof acceptRequest>;
  'POST v1/notifications/requests/:id/dismiss': ContractOf<typeof dismissRequest>;
  'POST v1/notifications/requests/accept': ContractOf<typeof acceptRequests>;
  'POST v1/notifications/requests/dismiss': ContractOf<typeof dismissRequests>;
  'POST v1/polls/:id/votes': ContractOf<typeof voteInPoll>;
  'POST v1/push/subscription': ContractOf<typeof subscribeToPush>;
  'POST v1/reports': ContractOf<typeof fileReport>;
  'POST v1/statuses': ContractOf<typeof createStatus>;
  'POST v1/statuses/:id/bookmark': ContractOf<typeof bookmarkStatus>;
  'POST v1/statuses/:id/favourite': ContractOf<typeof favouriteStatus>;
  'POST v1/statuses/:id/mute': ContractOf<typeof muteThread>;
  'POST v1/statuses/:id/pin': ContractOf<typeof pinStatus>;
  'POST v1/statuses/:id/quotes/:quoting_status_id/revoke': ContractOf<typeof revokeQuote>;
  'POST v1/statuses/:id/reblog': ContractOf<typeof reblogStatus>;
  'POST v1/statuses/:id/translate': ContractOf<typeof translateStatus>;
  'POST v1/statuses/:id/unbookmark': ContractOf<typeof unbookmarkStatus>;
  'POST v1/statuses/:id/unfavourite': ContractOf<typeof unfavouriteStatus>;
  'POST v1/statuses/:id/unmute': ContractOf<typeof unmuteThread>;
  'POST v1/statuses/:id/unpin': ContractOf<typeof unpinStatus>;
  'POST v1/statuses/:id/unreblog': ContractOf<typeof unreblogStatus>;
  'POST v1/strikes/:id/appeal': ContractOf<typeof fileAppeal>;
  'POST v1/tags/:name/feature': ContractOf<typeof featureTag>;
  'POST v1/tags/:name/follow': ContractOf<typeof followTag>;
  'POST v1/tags/:name/unfeature': ContractOf<typeof unfeatureTag>;
  'POST v1/tags/:name/unfollow': ContractOf<typeof unfollowTag>;
  'POST v2/filters': ContractOf<typeof createFilter>;
  'POST v2/filters/:filter_id/keywords': ContractOf<typeof createKeyword>;
  'POST v2/filters/:filter_id/statuses': ContractOf<typeof addStatus>;
  'POST v2/media': ContractOf<typeof uploadMedia>;
  'POST v2/notifications/:group_key/dismiss': ContractOf<typeof dismissGroup>;
  'POST v2/notifications/clear': ContractOf<typeof clearGroupedNotifications>;
  'PUT v1/admin/accounts/:id/role': ContractOf<typeof updateAccountRole>;
  'PUT v1/admin/announcements/:id': ContractOf<typeof updateAdminAnnouncement>;
  'PUT v1/admin/custom_emojis/:id': ContractOf<typeof updateCustomEmoji>;
  'PUT v1/admin/domain_blocks/:id': ContractOf<typeof updateDomainBlock>;
  'PUT v1/admin/ip_blocks/:id': ContractOf<typeof updateIpBlock>;
  'PUT v1/admin/reports/:id': ContractOf<typeof updateReport>;
  'PUT v1/admin/rules/:id': ContractOf<typeof updateRule>;
  'PUT v1/admin/settings': ContractOf<typeof updateSettings>;
  'PUT v1/admin/tags/:id': ContractOf<typeof changeTag>;
  'PUT v1/announcements/:id/reactions/:name': ContractOf<typeof addReaction>;
  'PUT v1/filters/:id': ContractOf<typeof updateV1Filter>;
  'PUT v1/filters/keywords/:id': ContractOf<typeof updateKeywordUnderV1>;
  'PUT v1/lists/:id': ContractOf<typeof updateList>;
  'PUT v1/media/:id': ContractOf<typeof updateMedia>;
  'PUT v1/push/subscription': ContractOf<typeof changePushSubscription>;
  'PUT v1/scheduled_statuses/:id': ContractOf<typeof updateScheduledStatus>;
  'PUT v1/statuses/:id': ContractOf<typeof editStatus>;
  'PUT v1/statuses/:id/interaction_policy': ContractOf<typeof changeInteractionPolicy>;
  'PUT v2/filters/:id': ContractOf<typeof updateFilter>;
  'PUT v2/filters/keywords/:id': ContractOf<typeof updateKeyword>;
}
