import {
  formerUserDomainBlockStream,
  type UserDomainBlockEvent,
  userDomainBlockStream,
} from '#events/domain-blocks.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `user-domain-block-<account>-<digest>`: whether one account blocks one domain. */
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

/** Whether a stream has any events. */
const used: Decider<boolean, UserDomainBlockEvent> = { initialState: false, evolve: () => true };

/** Returns the stream of a block: the former one, with the domain in its name, where it exists. */
export async function streamOfBlock(
  ctx: CommandContext,
  { account_id, domain }: DomainBlock,
): Promise<string> {
  const former = formerUserDomainBlockStream(account_id, domain);
  if (await ctx.load(former, used)) return former;
  const digest = ctx.services.addressDigest(`user-domain-block ${account_id} ${domain}`);
  return userDomainBlockStream(account_id, digest);
}

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
