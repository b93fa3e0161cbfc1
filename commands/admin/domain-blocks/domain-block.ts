import type { DomainBlockEvent, DomainRules } from '#events/admin-domain-blocks.ts';
import type { Decider } from '#kernel/decider.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `domain-block-<domain>`: the block by staff; null without one. */
export type DomainBlock = (DomainRules & { id: Id }) | null;

export const domainBlock: Decider<DomainBlock, DomainBlockEvent> = {
  initialState: null,
  evolve(state, { type, data }) {
    switch (type) {
      case 'DomainBlocked':
        return data;
      case 'DomainBlockChanged':
        return state && Object.assign({}, state, data);
      case 'DomainUnblocked':
        return null;
    }
  },
};

/** Pure. @throws RookeryError `conflict` when another request blocked the domain at the same time */
export function decideBlock(
  state: DomainBlock,
  block: DomainRules & { id: Id; domain: string },
): DomainBlockEvent[] {
  if (state !== null) throw conflict();
  return [{ type: 'DomainBlocked', data: block }];
}

/** Decides only differences. Pure. @throws RookeryError `not_found` */
export function decideChange(
  state: DomainBlock,
  domain: string,
  changes: Partial<DomainRules>,
): DomainBlockEvent[] {
  if (state === null) throw notFound();
  const changed = Object.entries(changes).filter(
    ([name, value]) => state[name as keyof DomainRules] !== value,
  );
  if (changed.length === 0) return [];
  return [{ type: 'DomainBlockChanged', data: { id: state.id, domain, ...Object.fromEntries(changed) } }];
}

/** Pure. @throws RookeryError `not_found` */
export function decideUnblock(state: DomainBlock, domain: string): DomainBlockEvent[] {
  if (state === null) throw notFound();
  return [{ type: 'DomainUnblocked', data: { id: state.id, domain } }];
}

type Limits = Pick<DomainRules, 'severity' | 'reject_media' | 'reject_reports'>;
const STRENGTH: Record<DomainRules['severity'], number> = { noop: 0, silence: 1, suspend: 2 };

/**
 * Tells whether a block adds anything to the existing one of a parent, in Mastodon's sense: a suspension
 * always does, other blocks unless they are weaker in any way.
 */
export function isStricter(block: Limits, holding: Limits): boolean {
  if (block.severity === 'suspend') return true;
  if (STRENGTH[block.severity] < STRENGTH[holding.severity]) return false;
  return (block.reject_media || !holding.reject_media) && (block.reject_reports || !holding.reject_reports);
}

/** Combines two sets of rules for one domain; the stricter value of each wins. */
export const stricterOf = (
  holding: Limits,
  { severity, reject_media, reject_reports }: Pick<Limits, 'severity'> & Partial<Limits>,
): Limits => ({
  severity: STRENGTH[severity] > STRENGTH[holding.severity] ? severity : holding.severity,
  reject_media: holding.reject_media || reject_media === true,
  reject_reports: holding.reject_reports || reject_reports === true,
});
