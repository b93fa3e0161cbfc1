import { adminTrendingLinks, trendingLinks } from './links.ts';
import { adminTrendingStatuses, trendingStatuses } from './statuses.ts';
import { adminTrendingTags, listAdminTags, showAdminTag, trendingTags, trendingTagsOfOld } from './tags.ts';

export { linkTrends } from './links.ts';
export { unreviewedTags } from './reviews.ts';
export { adminTagText, tagOfId } from './tags.ts';

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
];
