import { createCollection } from './create.ts';
import { deleteCollection } from './delete.ts';
import { addToCollection, removeFromCollection, revokeFromCollection } from './items.ts';
import { updateCollection } from './update.ts';

export const collectionCommands = [
  createCollection,
  updateCollection,
  deleteCollection,
  addToCollection,
  removeFromCollection,
  revokeFromCollection,
];
