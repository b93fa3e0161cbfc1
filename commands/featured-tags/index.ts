import { createFeaturedTag, deleteFeaturedTag } from './feature.ts';

export { decideFeature, decideUnfeature, featuredTags, type FeaturedTags } from './featured-tags.ts';
export { feature, unfeature } from './feature.ts';

export const featuredTagCommands = [createFeaturedTag, deleteFeaturedTag];
