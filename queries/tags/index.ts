import { showTag } from './show.ts';

export { tagNameParams, tagText } from './show.ts';

export const tagQueries = [showTag];
