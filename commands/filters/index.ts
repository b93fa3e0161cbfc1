import { addStatus } from './add-status.ts';
import { createFilter } from './create.ts';
import { createKeyword } from './create-keyword.ts';
import { createV1Filter } from './create-v1.ts';
import { deleteFilter } from './delete.ts';
import { deleteKeyword, deleteKeywordUnderV1, deleteV1Filter } from './delete-keyword.ts';
import { removeStatus } from './remove-status.ts';
import { updateFilter } from './update.ts';
import { updateKeyword, updateKeywordUnderV1 } from './update-keyword.ts';
import { updateV1Filter } from './update-v1.ts';

export const filterCommands = [
  createFilter,
  createV1Filter,
  createKeyword,
  updateKeyword,
  updateKeywordUnderV1,
  deleteKeyword,
  deleteKeywordUnderV1,
  addStatus,
  removeStatus,
  updateFilter,
  deleteFilter,
  updateV1Filter,
  deleteV1Filter,
];
