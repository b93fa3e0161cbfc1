import { createFeaturedTag, deleteFeaturedTag } from './feature.ts';

export { feature, unfeature } from './feature.ts';

export const featuredTagCommands = [createFeaturedTag, deleteFeaturedTag];
