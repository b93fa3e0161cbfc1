import type { Projection } from '#kernel/projection.ts';
import { accountAliases } from './account-aliases.ts';
import { accountSearch } from './account-search.ts';
import { accountWarnings } from './account-warnings.ts';
import { accounts } from './accounts/index.ts';
import { activeDays } from './active-days.ts';
import { announcements } from './announcements/index.ts';
import { annualReports } from './annual-reports.ts';
import { applications } from './applications.ts';
import { audit } from './audit/index.ts';
import { canonicalEmailBlocks } from './canonical-email-blocks.ts';
import { collections } from './collections/index.ts';
import { conversations } from './conversations/index.ts';
import { customEmojis } from './custom-emojis.ts';
import { recordedDigests } from './digests.ts';
import { domainAllows } from './domain-allows.ts';
import { domainBlocks } from './domain-blocks.ts';
import { emailDomainBlocks } from './email-domain-blocks.ts';
import { featuredTags } from './featured-tags.ts';
import { filters } from './filters/index.ts';
import { handleAliases } from './handle-aliases.ts';
import { home } from './home/index.ts';
import { instance } from './instance.ts';
import { interactionPolicies } from './interaction-policies/index.ts';
import { interactions } from './interactions.ts';
import { ipBlocks } from './ip-blocks.ts';
import { lists } from './lists.ts';
import { markers } from './markers.ts';
import { mediaAttachments } from './media.ts';
import { notifications } from './notifications/index.ts';
import { polls } from './polls.ts';
import { relationships } from './relationships/index.ts';
import { relays } from './relays.ts';
import { remoteActivities } from './remote-activities.ts';
import { remoteInboxes } from './remote-inboxes.ts';
import { remoteMedia } from './remote-media.ts';
import { reports } from './reports.ts';
import { scheduledStatuses } from './scheduled-statuses.ts';
import { severedRelationships } from './severed-relationships.ts';
import { statusLinks } from './status-links.ts';
import { statusSearch } from './status-search/index.ts';
import { statuses } from './statuses/index.ts';
import { suggestions } from './suggestions.ts';
import { tagFollows } from './tag-follows.ts';
import { tagReviews } from './tag-reviews.ts';
import { tagUsage } from './tag-usage/index.ts';
import { tags } from './tags.ts';
import { trendReviews } from './trend-reviews.ts';
import { users } from './users/index.ts';
import { weeklyActivity } from './weekly-activity.ts';

const all: readonly Projection[] = [
  accounts,
  accountAliases,
  accountSearch,
  activeDays,
  announcements,
  annualReports,
  accountWarnings,
  applications,
  audit,
  canonicalEmailBlocks,
  domainAllows,
  domainBlocks,
  emailDomainBlocks,
  ipBlocks,
  filters,
  handleAliases,
  instance,
  lists,
  collections,
  conversations,
  customEmojis,
  markers,
  mediaAttachments,
  interactionPolicies,
  interactions,
  polls,
  relationships,
  relays,
  remoteActivities,
  remoteInboxes,
  remoteMedia,
  reports,
  scheduledStatuses,
  severedRelationships,
  statuses,
  statusLinks,
  suggestions,
  featuredTags,
  tagFollows,
  tagReviews,
  trendReviews,
  tagUsage,
  tags,
  users,
  weeklyActivity,
  home,
  notifications,
  statusSearch,
];

const recorded = recordedDigests();

/** All read models, with the digests of their handlers. */
export const projections: readonly Projection[] = all.map((projection) => {
  const { name, version } = projection;
  const digests = recorded.get(name);
  return digests?.version === version ? { ...projection, handlersDigests: digests.handlers } : projection;
});
