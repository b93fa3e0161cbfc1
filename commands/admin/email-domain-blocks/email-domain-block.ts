import type { EmailDomainBlockEvent } from '#events/email-domain-blocks.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `email-domain-block-<domain>`: the id of the block; null without one. */
export type EmailDomainBlock = Id | null;

export const emailDomainBlock: Decider<EmailDomainBlock, EmailDomainBlockEvent> = {
  initialState: null,
  evolve: (_state, { type, data }) => (type === 'EmailDomainBlocked' ? data.id : null),
};

/** Pure. @throws RookeryError `invalid` when it is blocked already */
export function decideBlock(
  state: EmailDomainBlock,
  block: { id: Id; domain: string; allow_with_approval: boolean },
): EmailDomainBlockEvent[] {
  if (state !== null) {
    throw invalid('Validation failed: Domain has already been taken', {
      domain: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
    });
  }
  return [{ type: 'EmailDomainBlocked', data: block }];
}

/** Pure. @throws RookeryError `not_found` */
export function decideUnblock(state: EmailDomainBlock, domain: string): EmailDomainBlockEvent[] {
  if (state === null) throw notFound();
  return [{ type: 'EmailDomainUnblocked', data: { id: state, domain } }];
}
