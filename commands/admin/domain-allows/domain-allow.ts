import type { DomainAllowEvent } from '#events/domain-allows.ts';
import type { Decider } from '#kernel/decider.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `domain-allow-<domain>`: the id of the allow; null without one. */
export type DomainAllow = Id | null;

export const domainAllow: Decider<DomainAllow, DomainAllowEvent> = {
  initialState: null,
  evolve: (_state, { type, data }) => (type === 'DomainAllowed' ? data.id : null),
};

/** Decides nothing when it is allowed already. Pure. */
export const decideAllow = (state: DomainAllow, allow: { id: Id; domain: string }): DomainAllowEvent[] =>
  state === null ? [{ type: 'DomainAllowed', data: allow }] : [];

/** Pure. @throws RookeryError `not_found` */
export function decideDisallow(state: DomainAllow, domain: string): DomainAllowEvent[] {
  if (state === null) throw notFound();
  return [{ type: 'DomainDisallowed', data: { id: state, domain } }];
}
