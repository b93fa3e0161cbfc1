import { createDomainBlock } from './create.ts';
import { deleteDomainBlock } from './delete.ts';
import { importDomainAllows, importDomainBlocks } from './import-endpoint.ts';
import { updateDomainBlock } from './update.ts';

export { blockDomain, changeDomainBlock, DEFAULT_RULES, imposeDomainBlock, unblockDomain } from './change.ts';
export { isStricter, stricterOf } from './domain-block.ts';
export { ALLOW_HEADER, LIST_HEADER, listLine, readDomainList, type ListedDomain } from './domain-list.ts';
export type { Merge, Step } from './domain-plan.ts';
export { allowedDomains, domainRules, followsEndedBy, ownDomains, planImport, takeStep } from './import.ts';

export const adminDomainBlockCommands = [
  importDomainBlocks,
  importDomainAllows,
  createDomainBlock,
  updateDomainBlock,
  deleteDomainBlock,
];
