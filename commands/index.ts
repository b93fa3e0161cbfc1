import { accountCommands } from './accounts/index.ts';
import { adminAccountCommands } from './admin/accounts/index.ts';
import { adminAlertCommands } from './admin/alerts/index.ts';
import { adminAnnouncementCommands } from './admin/announcements/index.ts';
import { adminAppealCommands } from './admin/appeals.ts';
import { adminAuditCommands } from './admin/audit/index.ts';
import { adminCanonicalEmailBlockCommands } from './admin/canonical-email-blocks/index.ts';
import { adminCustomEmojiCommands } from './admin/custom-emojis/index.ts';
import { adminDomainAllowCommands } from './admin/domain-allows/index.ts';
import { adminDomainBlockCommands } from './admin/domain-blocks/index.ts';
import { adminEmailDomainBlockCommands } from './admin/email-domain-blocks/index.ts';
import { adminHostCommands } from './admin/federation-hosts.ts';
import { adminIpBlockCommands } from './admin/ip-blocks/index.ts';
import { adminPastBuildCommands } from './admin/past-builds/index.ts';
import { adminProjectionCommands } from './admin/projections/index.ts';
import { adminReactorCommands } from './admin/reactors.ts';
import { adminRelayCommands } from './admin/relays/index.ts';
import { adminReportCommands } from './admin/reports/index.ts';
import { adminRoleCommands } from './admin/roles.ts';
import { adminRuleCommands } from './admin/rules/index.ts';
import { adminSettingsCommands } from './admin/settings.ts';
import { adminStatusCommands } from './admin/statuses/index.ts';
import { adminTermsCommands } from './admin/terms.ts';
import { announcementCommands } from './announcements/index.ts';
import { annualReportCommands } from './annual-reports/index.ts';
import { appCommands } from './apps/index.ts';
import { collectionCommands } from './collections/index.ts';
import { conversationCommands } from './conversations/index.ts';
import { cryptoCommands } from './crypto/index.ts';
import { domainBlockCommands } from './domain-blocks/index.ts';
import { emailCommands } from './emails.ts';
import { featuredTagCommands } from './featured-tags/index.ts';
import { filterCommands } from './filters/index.ts';
import { followRequestCommands } from './follow-requests/index.ts';
import { followCommands } from './follows.ts';
import { listCommands } from './lists/index.ts';
import { markerCommands } from './markers/index.ts';
import { mediaCommands } from './media/index.ts';
import { notificationCommands } from './notifications/index.ts';
import { pollCommands } from './polls.ts';
import { preferenceCommands } from './preferences.ts';
import { profileCommands } from './profile/index.ts';
import { pushCommands } from './push/index.ts';
import { reportCommands } from './reports/index.ts';
import { scheduledStatusCommands } from './scheduled-statuses/index.ts';
import { statusCommands } from './statuses/index.ts';
import { strikeCommands } from './strikes/index.ts';
import { suggestionCommands } from './suggestions/index.ts';
import { tagCommands } from './tags/index.ts';
import { translationCommands } from './translation/index.ts';
import { trendCommands } from './trends/index.ts';

/** All endpoints that change data. */
export const commandEndpoints = [
  ...accountCommands,
  ...announcementCommands,
  ...adminCanonicalEmailBlockCommands,
  ...adminAccountCommands,
  ...adminAlertCommands,
  ...adminPastBuildCommands,
  ...adminAnnouncementCommands,
  ...adminAppealCommands,
  ...adminCustomEmojiCommands,
  ...adminRoleCommands,
  ...adminRuleCommands,
  ...adminSettingsCommands,
  ...adminTermsCommands,
  ...adminAuditCommands,
  ...adminDomainAllowCommands,
  ...adminHostCommands,
  ...adminProjectionCommands,
  ...adminReactorCommands,
  ...adminRelayCommands,
  ...adminDomainBlockCommands,
  ...adminEmailDomainBlockCommands,
  ...adminReportCommands,
  ...adminStatusCommands,
  ...adminIpBlockCommands,
  ...annualReportCommands,
  ...appCommands,
  ...domainBlockCommands,
  ...collectionCommands,
  ...cryptoCommands,
  ...emailCommands,
  ...filterCommands,
  ...followRequestCommands,
  ...followCommands,
  ...listCommands,
  ...featuredTagCommands,
  ...scheduledStatusCommands,
  ...conversationCommands,
  ...markerCommands,
  ...notificationCommands,
  ...pollCommands,
  ...preferenceCommands,
  ...profileCommands,
  ...pushCommands,
  ...mediaCommands,
  ...reportCommands,
  ...statusCommands,
  ...strikeCommands,
  ...suggestionCommands,
  ...tagCommands,
  ...translationCommands,
  ...trendCommands,
];
