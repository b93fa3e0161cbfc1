import { showTag } from './show.ts';

export { isKnownTag } from './known.ts';
export { searchTags, type TagSearch } from './search.ts';
export { showTag, tagNameParams, tagText } from './show.ts';

export const tagQueries = [showTag];
