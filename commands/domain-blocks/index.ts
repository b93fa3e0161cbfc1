import { blockDomain } from './block-domain.ts';
import { unblockDomain } from './unblock-domain.ts';

export { blockDomainAs } from './block-domain.ts';
export { unblockDomainAs } from './unblock-domain.ts';
export { severFromAccount, severFromServer } from './sever.ts';

export const domainBlockCommands = [blockDomain, unblockDomain];
