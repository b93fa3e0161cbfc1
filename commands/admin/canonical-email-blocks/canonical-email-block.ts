import type { CanonicalEmailBlockEvent } from '#events/canonical-email-blocks.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `canonical-email-block-<hash>`: the id of the block; null without one. */
export type CanonicalEmailBlock = Id | null;

export const canonicalEmailBlock: Decider<CanonicalEmailBlock, CanonicalEmailBlockEvent> = {
  initialState: null,
  evolve: (_state, { type, data }) => (type === 'CanonicalEmailBlocked' ? data.id : null),
};

/** Pure. @throws RookeryError `invalid` when it is blocked already */
export function decideBlock(
  state: CanonicalEmailBlock,
  block: { id: Id; canonical_email_hash: string },
): CanonicalEmailBlockEvent[] {
  if (state !== null) {
    throw invalid('Validation failed: Canonical email hash has already been taken', {
      canonical_email_hash: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
    });
  }
  return [{ type: 'CanonicalEmailBlocked', data: block }];
}

/** Pure. @throws RookeryError `not_found` */
export function decideUnblock(
  state: CanonicalEmailBlock,
  canonical_email_hash: string,
): CanonicalEmailBlockEvent[] {
  if (state === null) throw notFound();
  return [{ type: 'CanonicalEmailUnblocked', data: { id: state, canonical_email_hash } }];
}
