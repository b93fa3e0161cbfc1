import { accountFeaturedTags, listFeaturedTags } from './list.ts';
import { suggestFeaturedTags } from './suggestions.ts';

export { accountFeaturedTags, featuredTagOf, featuredTagsOf } from './list.ts';

export const featuredTagQueries = [suggestFeaturedTags, listFeaturedTags, accountFeaturedTags];
