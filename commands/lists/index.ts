import { addListAccounts } from './add-accounts.ts';
import { createList } from './create.ts';
import { deleteList } from './delete.ts';
import { removeListAccounts } from './remove-accounts.ts';
import { updateList } from './update.ts';

export const listCommands = [createList, updateList, deleteList, addListAccounts, removeListAccounts];
