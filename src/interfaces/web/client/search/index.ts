import { action } from '#interfaces/web/page/action.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { postsAboutLink, suggestedPeople, trendingLinks, trendingPosts, trendingTags } from './explore.ts';
import { searchPage } from './search.ts';

/** Search and explore. */
export const searchPages: readonly WebPage[] = [
  searchPage,
  trendingPosts,
  trendingTags,
  suggestedPeople,
  trendingLinks,
  postsAboutLink,
  action('DELETE v1/suggestions/:account_id'),
];
