import { expect } from 'chai';
import {
  CLAIM_LIFETIME,
  decideClaim,
  decideClose,
  decideRelease,
  liveClaims,
  quotaState,
  type QuotaState,
} from '../../commands/quotas/quota.ts';
import type { QuotaClaim, QuotaEvent, QuotaItem } from '../../src/events/quotas.ts';
import { fold } from '../../src/kernel/decider.ts';
import { invalid } from '../../src/kernel/errors.ts';
import { refusalCode } from '../support/refusal.ts';

const owned = { quota: 'lists', owner_id: '1' } as const;
const NOW = '2026-11-22T10:00:00.000Z';
const later = (milliseconds: number): string => new Date(Date.parse(NOW) + milliseconds).toISOString();
const claimOf = (id: string, at = NOW): QuotaClaim => ({ claim_id: id, at, items: [{ id: `${id}0` }] });
const claimed = (...claims: QuotaClaim[]): QuotaEvent => ({
  type: 'QuotaClaimed',
  data: { ...owned, claims },
});
const released = (id: string): QuotaEvent => ({ type: 'QuotaReleased', data: { ...owned, claim_id: id } });
const closed: QuotaEvent = { type: 'QuotaClosed', data: owned };
const given = (...events: QuotaEvent[]): QuotaState => fold(quotaState, events);
const idsAt = (state: QuotaState, now = NOW): string[] =>
  liveClaims(state, now).map(({ claim_id }) => claim_id);

describe('The decisions about a quota', () => {
  const atMost =
    (places: number) =>
    (items: readonly QuotaItem[]): void => {
      if (items.length > places) throw invalid('full');
    };
  const claim = (state: QuotaState, most: number, at = NOW, left: QuotaClaim[] = []): QuotaEvent[] =>
    decideClaim(state, { ...owned, ...claimOf('9', at) }, { left, check: atMost(most) });

  it('count the claims of others', () => {
    expect(claim(given(), 1)).to.deep.equal([claimed(claimOf('9'))]);
    expect(refusalCode(() => claim(given(claimed(claimOf('1'))), 1))).to.equal('invalid');
    expect(claim(given(claimed(claimOf('1'))), 2)).to.deep.equal([claimed(claimOf('9'))]);
  });

  it('release a claim once', () => {
    const state = given(claimed(claimOf('1')), claimed(claimOf('2')), released('1'));
    expect(idsAt(state)).to.deep.equal(['2']);
    expect(claim(state, 2)).to.have.length(1);
    expect(decideRelease(state, owned, '2')).to.deep.equal([released('2')]);
    expect(decideRelease(state, owned, '1')).to.deep.equal([]);
  });

  it('expire an unreleased claim', () => {
    const state = given(claimed(claimOf('1')));
    expect(idsAt(state, later(CLAIM_LIFETIME - 1))).to.deep.equal(['1']);
    expect(idsAt(state, later(CLAIM_LIFETIME))).to.deep.equal([]);
    expect(claim(state, 1, later(CLAIM_LIFETIME))).to.have.length(1);
  });

  it('carry the rest of the month before over, and close it', () => {
    const left = [claimOf('1'), claimOf('2')];
    expect(refusalCode(() => claim(given(), 2, NOW, left))).to.equal('invalid');
    const events = claim(given(), 3, NOW, left);
    expect(events).to.deep.equal([claimed(...left, claimOf('9'))]);
    expect(idsAt(given(...events))).to.deep.equal(['1', '2', '9']);

    expect(decideClose(given(), owned)).to.deep.equal([closed]);
    expect(decideClose(given(closed), owned)).to.deep.equal([]);
    expect(refusalCode(() => claim(given(closed), 9))).to.equal('conflict');
    expect(idsAt(given(claimed(claimOf('1')), closed, released('1')))).to.deep.equal([]);
    expect(given(claimed(claimOf('1')), closed, released('1')).state).to.equal('closed');
  });
});
