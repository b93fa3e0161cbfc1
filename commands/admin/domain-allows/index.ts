import { createDomainAllow } from './create.ts';
import { deleteDomainAllow } from './delete.ts';

export { allowDomain, disallowDomain } from './change.ts';

export const adminDomainAllowCommands = [createDomainAllow, deleteDomainAllow];
