import { blockDomain } from './block-domain.ts';
import { unblockDomain } from './unblock-domain.ts';

export const domainBlockCommands = [blockDomain, unblockDomain];
