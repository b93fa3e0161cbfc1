import { accountQueries } from './accounts/index.ts';
import { adminAccountQueries } from './admin/accounts/index.ts';
import { adminAlertQueries } from './admin/alerts/index.ts';
import { adminAnnouncementQueries } from './admin/announcements.ts';
import { adminAppealQueries } from './admin/appeals/index.ts';
import { adminAuditQueries } from './admin/audit/index.ts';
import { auditCaseQueries } from './admin/audit-case/index.ts';
import { adminCanonicalEmailBlockQueries } from './admin/canonical-email-blocks.ts';
import { adminCustomEmojiQueries } from './admin/custom-emojis.ts';
import { adminDimensionQueries } from './admin/dimensions/index.ts';
import { adminDomainAllowQueries } from './admin/domain-allows.ts';
import { adminDomainBlockQueries } from './admin/domain-blocks/index.ts';
import { adminEmailDomainBlockQueries } from './admin/email-domain-blocks/index.ts';
import { adminHostQueries } from './admin/federation-hosts.ts';
import { adminHealthQueries } from './admin/health/index.ts';
import { adminIpBlockQueries } from './admin/ip-blocks/index.ts';
import { adminJobQueries } from './admin/jobs.ts';
import { adminLogQueries } from './admin/log/index.ts';
import { adminMeasureQueries } from './admin/measures/index.ts';
import { adminPastBuildQueries } from './admin/past-builds/index.ts';
import { adminProjectionQueries } from './admin/projections.ts';
import { adminReactorQueries } from './admin/reactors.ts';
import { adminRelayQueries } from './admin/relays.ts';
import { adminReplayQueries } from './admin/replay/index.ts';
import { adminReportQueries } from './admin/reports/index.ts';
import { adminRetentionQueries } from './admin/retention.ts';
import { adminRoleQueries } from './admin/roles.ts';
import { adminSettingsQueries } from './admin/settings.ts';
import { adminTermsQueries } from './admin/terms.ts';
import { adminTransparencyQueries } from './admin/transparency/index.ts';
import { adminTroubleQueries } from './admin/trouble.ts';
import { adminWaitingQueries } from './admin/waiting.ts';
import { announcementQueries } from './announcements/index.ts';
import { annualReportQueries } from './annual-reports/index.ts';
import { appQueries } from './apps/index.ts';
import { asyncRefreshQueries } from './async-refreshes.ts';
import { blockQueries } from './blocks.ts';
import { bookmarkQueries } from './bookmarks.ts';
import { collectionQueries } from './collections/index.ts';
import { conversationQueries } from './conversations/index.ts';
import { cryptoQueries } from './crypto/index.ts';
import { customEmojiQueries } from './custom-emojis/index.ts';
import { directoryQueries } from './directory.ts';
import { domainBlockQueries } from './domain-blocks/index.ts';
import { emailQueries } from './emails.ts';
import { endorsementQueries } from './endorsements.ts';
import { favouriteQueries } from './favourites.ts';
import { featuredTagQueries } from './featured-tags/index.ts';
import { filterQueries } from './filters/index.ts';
import { followRequestQueries } from './follow-requests/index.ts';
import { followedTagQueries } from './followed-tags.ts';
import { instanceQueries } from './instance/index.ts';
import { listQueries } from './lists/index.ts';
import { markerQueries } from './markers.ts';
import { mediaQueries } from './media/index.ts';
import { muteQueries } from './mutes.ts';
import { nodeInfoQueries } from './nodeinfo/index.ts';
import { notificationQueries } from './notifications/index.ts';
import { oembedQueries } from './oembed.ts';
import { pollQueries } from './polls/index.ts';
import { preferenceQueries } from './preferences.ts';
import { profileQueries } from './profile.ts';
import { pushQueries } from './push/index.ts';
import { scheduledStatusQueries } from './scheduled-statuses/index.ts';
import { searchQueries } from './search/index.ts';
import { statusQueries } from './statuses/index.ts';
import { strikeQueries } from './strikes/index.ts';
import { suggestionQueries } from './suggestions/index.ts';
import { tagQueries } from './tags/index.ts';
import { timelineQueries } from './timelines/index.ts';
import { translationQueries } from './translation/index.ts';
import { historyQueries } from './transparency-log/index.ts';
import { trendQueries } from './trends/index.ts';

/** Every endpoint that reads. Literal paths come before those with parameters. */
export const queryEndpoints = [
  ...historyQueries,
  ...accountQueries,
  ...announcementQueries,
  ...adminAnnouncementQueries,
  ...adminAlertQueries,
  ...adminAppealQueries,
  ...adminCustomEmojiQueries,
  ...adminRoleQueries,
  ...adminSettingsQueries,
  ...adminTermsQueries,
  ...adminReplayQueries,
  ...adminAuditQueries,
  ...auditCaseQueries,
  ...adminCanonicalEmailBlockQueries,
  ...adminAccountQueries,
  ...adminDimensionQueries,
  ...adminDomainAllowQueries,
  ...adminHealthQueries,
  ...adminPastBuildQueries,
  ...adminLogQueries,
  ...adminHostQueries,
  ...adminJobQueries,
  ...adminProjectionQueries,
  ...adminReactorQueries,
  ...adminRelayQueries,
  ...adminDomainBlockQueries,
  ...adminEmailDomainBlockQueries,
  ...adminMeasureQueries,
  ...adminReportQueries,
  ...adminRetentionQueries,
  ...adminTransparencyQueries,
  ...adminTroubleQueries,
  ...adminWaitingQueries,
  ...adminIpBlockQueries,
  ...annualReportQueries,
  ...appQueries,
  ...asyncRefreshQueries,
  ...collectionQueries,
  ...cryptoQueries,
  ...bookmarkQueries,
  ...customEmojiQueries,
  ...emailQueries,
  ...filterQueries,
  ...followRequestQueries,
  ...instanceQueries,
  ...listQueries,
  ...blockQueries,
  ...directoryQueries,
  ...domainBlockQueries,
  ...endorsementQueries,
  ...favouriteQueries,
  ...featuredTagQueries,
  ...followedTagQueries,
  ...muteQueries,
  ...scheduledStatusQueries,
  ...conversationQueries,
  ...markerQueries,
  ...oembedQueries,
  ...nodeInfoQueries,
  ...notificationQueries,
  ...mediaQueries,
  ...pollQueries,
  ...preferenceQueries,
  ...profileQueries,
  ...pushQueries,
  ...searchQueries,
  ...statusQueries,
  ...strikeQueries,
  ...suggestionQueries,
  ...tagQueries,
  ...timelineQueries,
  ...translationQueries,
  ...trendQueries,
];
