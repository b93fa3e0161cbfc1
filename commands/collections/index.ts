import { createCollection } from './create.ts';
import { deleteCollection } from './delete.ts';
import { addToCollection, removeFromCollection, revokeFromCollection } from './items.ts';
import { updateCollection } from './update.ts';

export { collection, type Collection } from './collection.ts';
export {
  decideAccept,
  decidePropose,
  decideReject,
  decideWithdraw as decideWithdrawItem,
  itemOfAccount,
} from './consent.ts';
export {
  decideFeature,
  decideForget,
  decideKeep,
  decideName,
  decideRemember as decideRememberCollection,
  decideTakeItem,
  type RemoteCollection,
  type RemoteItem,
} from './remote.ts';

export const collectionCommands = [
  createCollection,
  updateCollection,
  deleteCollection,
  addToCollection,
  removeFromCollection,
  revokeFromCollection,
];
