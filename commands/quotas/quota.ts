import type { QuotaClaim, QuotaEvent, QuotaItem, QuotaName } from '#events/quotas.ts';
import type { Decider } from '#kernel/decider.ts';
import { conflict } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';

/**
 * Milliseconds that an unreleased claim counts, for a process that died after the claim. A request ends long
 * before.
 */
export const CLAIM_LIFETIME = 60_000;

/** Stream `quota-<name>-<owner>-<month>`. */
export interface QuotaState {
  state: 'none' | 'open' | 'closed';
  /** The unreleased claims, by their id. */
  claims: ReadonlyMap<Id, QuotaClaim>;
}

export const quotaState: Decider<QuotaState, QuotaEvent> = {
  initialState: { state: 'none', claims: new Map() },
  evolve(before, event) {
    const state = before.state === 'none' ? 'open' : before.state;
    switch (event.type) {
      case 'QuotaClaimed': {
        const claims = new Map(before.claims);
        for (const each of event.data.claims) claims.set(each.claim_id, each);
        return { state, claims };
      }
      case 'QuotaReleased': {
        const claims = new Map(before.claims);
        claims.delete(event.data.claim_id);
        return { state, claims };
      }
      case 'QuotaClosed':
        return { ...before, state: 'closed' };
    }
  },
};

/** Returns the claims that count at a moment (ISO 8601). */
export function liveClaims({ claims }: QuotaState, now: string): QuotaClaim[] {
  const over = new Date(Date.parse(now) - CLAIM_LIFETIME).toISOString();
  return [...claims.values()].filter(({ at }) => at > over);
}

export interface QuotaOwner {
  quota: QuotaName;
  owner_id: Id;
}

/**
 * Claims places. `check` throws when there are too few for this and all other claims. `left` are the claims
 * of the previous month, for the first claim of a month. Pure. @throws RookeryError `conflict` when the month
 * has ended
 */
export function decideClaim(
  before: QuotaState,
  { quota, owner_id, ...claim }: QuotaOwner & QuotaClaim,
  { left, check }: { left: readonly QuotaClaim[]; check: (items: readonly QuotaItem[]) => void },
): QuotaEvent[] {
  if (before.state === 'closed') throw conflict();
  check([...liveClaims(before, claim.at), ...left, claim].flatMap(({ items }) => items));
  return [{ type: 'QuotaClaimed', data: { quota, owner_id, claims: [...left, claim] } }];
}

/** Returns no event for a claim that is released or expired. Pure. */
export function decideRelease({ claims }: QuotaState, owned: QuotaOwner, claimId: Id): QuotaEvent[] {
  return claims.has(claimId) ? [{ type: 'QuotaReleased', data: { ...owned, claim_id: claimId } }] : [];
}

/** Also closes an empty month: a request that still refers to it finds it closed. Pure. */
export const decideClose = ({ state }: QuotaState, owned: QuotaOwner): QuotaEvent[] =>
  state === 'closed' ? [] : [{ type: 'QuotaClosed', data: owned }];
