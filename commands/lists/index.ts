import { addListAccounts } from './add-accounts.ts';
import { createList } from './create.ts';
import { deleteList } from './delete.ts';
import { removeListAccounts } from './remove-accounts.ts';
import { updateList } from './update.ts';

export { putIntoList } from './add-accounts.ts';
export { createListAs, MAX_LISTS } from './create.ts';
export { deleteListAs } from './delete.ts';
export { moveMember } from './move-member.ts';
export { removeFromList } from './remove-accounts.ts';
export { MAX_TITLE } from './settings.ts';

export const listCommands = [createList, updateList, deleteList, addListAccounts, removeListAccounts];
