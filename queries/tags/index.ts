import { showTag } from './show.ts';

export { searchTags, type TagSearch } from './search.ts';
export { tagNameParams, tagText } from './show.ts';

export const tagQueries = [showTag];
