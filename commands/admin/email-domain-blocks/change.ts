import { useCase } from '#commands/use-case.ts';
import { emailDomainBlockStream } from '#events/email-domain-blocks.ts';
import { decideBlock, decideUnblock, emailDomainBlock } from './email-domain-block.ts';

interface EmailDomainInput {
  domain: string;
  allowWithApproval?: boolean | undefined;
}

/**
 * Blocks a canonical domain. The read models contain it when this resolves. With `allowWithApproval`,
 * sign-ups with its addresses need approval.
 * @throws RookeryError `invalid` when it is blocked already
 */
export const blockEmailDomain = useCase({
  prepare: ({ newId }, { domain, allowWithApproval = false }: EmailDomainInput) => ({
    id: newId(),
    domain,
    allow_with_approval: allowWithApproval,
  }),
  stream: ({ domain }) => emailDomainBlockStream(domain),
  decider: emailDomainBlock,
  decide: decideBlock,
});

/** @throws RookeryError `not_found` when the domain is not blocked */
export const unblockEmailDomain = useCase({
  stream: emailDomainBlockStream,
  decider: emailDomainBlock,
  decide: decideUnblock,
});
