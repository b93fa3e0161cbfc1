import {
  accountCollections,
  accountCollectionsAsDocumented,
  accountInCollections,
  accountInCollectionsAsDocumented,
} from './list.ts';
import { showCollection } from './show.ts';

export { collectionOf, findCollection } from './collection.ts';
export { countCollections, featurableAccounts } from './facts.ts';
export { collectionsOfItems, collectionsOfUpdates } from './told-of.ts';
export { showCollection } from './show.ts';

export const collectionQueries = [
  showCollection,
  accountCollections,
  accountCollectionsAsDocumented,
  accountInCollections,
  accountInCollectionsAsDocumented,
];
