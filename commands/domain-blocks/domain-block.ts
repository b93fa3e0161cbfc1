import type { UserDomainBlockEvent } from '../../src/events/domain-blocks.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** Stream `user-domain-block-<account>-<domain>`: whether one account blocks one domain. */
export interface DomainBlockState {
  blocked: boolean;
}

export interface DomainBlock {
  account_id: Id;
  domain: string;
}

export const domainBlock: Decider<DomainBlockState, UserDomainBlockEvent> = {
  initialState: { blocked: false },
  evolve: (_state, event) => ({ blocked: event.type === 'UserDomainBlocked' }),
};

/** `id` is that of a new block. */
export function decideBlockDomain(
  { blocked }: DomainBlockState,
  block: DomainBlock & { id: Id },
): UserDomainBlockEvent[] {
  return blocked ? [] : [{ type: 'UserDomainBlocked', data: block }];
}

export function decideUnblockDomain(
  { blocked }: DomainBlockState,
  block: DomainBlock,
): UserDomainBlockEvent[] {
  return blocked ? [{ type: 'UserDomainUnblocked', data: block }] : [];
}
