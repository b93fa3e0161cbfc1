import { blockDomain } from './block-domain.ts';
import { unblockDomain } from './unblock-domain.ts';

export { turnAway } from './turn-away.ts';

export const domainBlockCommands = [blockDomain, unblockDomain];
