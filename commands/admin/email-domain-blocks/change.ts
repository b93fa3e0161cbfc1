import { emailDomainBlockStream } from '../../../src/events/email-domain-blocks.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import { decideBlock, decideUnblock, emailDomainBlock } from './email-domain-block.ts';

/**
 * Blocks a canonical domain. The read models contain it when this resolves. With `allowWithApproval`,
 * sign-ups with its addresses need approval.
 * @throws RookeryError `invalid` when it is blocked already
 */
export async function blockEmailDomain(
  ctx: CommandContext,
  domain: string,
  { allowWithApproval = false }: { allowWithApproval?: boolean | undefined } = {},
): Promise<void> {
  const block = { id: ctx.newId(), domain, allow_with_approval: allowWithApproval };
  await ctx.execute(emailDomainBlockStream(domain), emailDomainBlock, (state) => decideBlock(state, block));
}

/** @throws RookeryError `not_found` when the domain is not blocked */
export async function unblockEmailDomain(ctx: CommandContext, domain: string): Promise<void> {
  await ctx.execute(emailDomainBlockStream(domain), emailDomainBlock, (state) =>
    decideUnblock(state, domain),
  );
}
