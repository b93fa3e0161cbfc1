import { adminTrendingLinks, trendingLinks } from './links.ts';
import { listPublishers } from './publishers.ts';
import { adminTrendingStatuses, trendingStatuses } from './statuses.ts';
import { adminTrendingTags, listAdminTags, showAdminTag, trendingTags, trendingTagsOfOld } from './tags.ts';

export { adminLinkText, linkOfId, linkOfUrl, linkTrends } from './links.ts';
export { publisherOfId, publisherText } from './publishers.ts';
export { adminStatusText, trendableStatus } from './statuses.ts';
export { adminTagText, tagOfId, trendingTags } from './tags.ts';
export { waitingTrends, type WaitingTrend } from './waiting.ts';

export const trendQueries = [
  trendingTags,
  trendingTagsOfOld,
  trendingStatuses,
  trendingLinks,
  adminTrendingTags,
  listAdminTags,
  showAdminTag,
  adminTrendingStatuses,
  adminTrendingLinks,
  listPublishers,
];
