import {
  accountCollections,
  accountCollectionsAsDocumented,
  accountInCollections,
  accountInCollectionsAsDocumented,
} from './list.ts';
import { showCollection } from './show.ts';

export { collectionOf } from './collection.ts';
export { collectionFacts } from './facts.ts';
export { collectionsOfItems } from './of-items.ts';
export { showCollection } from './show.ts';

export const collectionQueries = [
  showCollection,
  accountCollections,
  accountCollectionsAsDocumented,
  accountInCollections,
  accountInCollectionsAsDocumented,
];
