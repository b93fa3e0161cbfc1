import { deleteCollection, updateCollection } from './change.ts';
import { createCollection } from './create.ts';
import { addToCollection, removeFromCollection, revokeFromCollection } from './items.ts';

export const collectionCommands = [
  createCollection,
  updateCollection,
  deleteCollection,
  addToCollection,
  removeFromCollection,
  revokeFromCollection,
];
