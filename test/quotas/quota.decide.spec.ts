import { expect } from 'chai';
import {
  CLAIM_LIFETIME,
  decideClaim,
  decideClose,
  decideRelease,
  liveClaims,
  type QuotaState,
  quotaState,
} from '#commands/quotas/quota.ts';
import type { QuotaClaim, QuotaEvent, QuotaItem } from '#events/quotas.ts';
import { invalid } from '#kernel/errors.ts';
import { type Given, given } from '../support/given.ts';

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
const idsAt = (state: QuotaState, now = NOW): string[] =>
  liveClaims(state, now).map(({ claim_id }) => claim_id);

describe('The decisions about a quota', () => {
  const atMost =
    (places: number) =>
    (items: readonly QuotaItem[]): void => {
      if (items.length > places) throw invalid('full');
    };
  const claim = (state: Given<QuotaState>, most: number, at = NOW, left: QuotaClaim[] = []) =>
    state.when(decideClaim, { ...owned, ...claimOf('9', at) }, { left, check: atMost(most) });

  it('count the claims of others', () => {
    claim(given(quotaState), 1).then([claimed(claimOf('9'))]);
    claim(given(quotaState, claimed(claimOf('1'))), 1).thenRefuses('invalid');
    claim(given(quotaState, claimed(claimOf('1'))), 2).then([claimed(claimOf('9'))]);
  });

  it('release a claim once', () => {
    const state = given(quotaState, claimed(claimOf('1')), claimed(claimOf('2')), released('1'));
    expect(idsAt(state.state)).to.deep.equal(['2']);
    expect(claim(state, 2).decided()).to.have.length(1);
    state.when(decideRelease, owned, '2').then([released('2')]);
    state.when(decideRelease, owned, '1').then([]);
  });

  it('expire an unreleased claim', () => {
    const state = given(quotaState, claimed(claimOf('1')));
    expect(idsAt(state.state, later(CLAIM_LIFETIME - 1))).to.deep.equal(['1']);
    expect(idsAt(state.state, later(CLAIM_LIFETIME))).to.deep.equal([]);
    expect(claim(state, 1, later(CLAIM_LIFETIME)).decided()).to.have.length(1);
  });

  it('carry the rest of the month before over, and close it', () => {
    const left = [claimOf('1'), claimOf('2')];
    claim(given(quotaState), 2, NOW, left).thenRefuses('invalid');
    const events = claim(given(quotaState), 3, NOW, left).decided();
    expect(events).to.deep.equal([claimed(...left, claimOf('9'))]);
    expect(idsAt(given(quotaState, ...events).state)).to.deep.equal(['1', '2', '9']);

    given(quotaState).when(decideClose, owned).then([closed]);
    given(quotaState, closed).when(decideClose, owned).then([]);
    claim(given(quotaState, closed), 9).thenRefuses('conflict');
    expect(idsAt(given(quotaState, claimed(claimOf('1')), closed, released('1')).state)).to.deep.equal([]);
    expect(given(quotaState, claimed(claimOf('1')), closed, released('1')).state.state).to.equal('closed');
  });
});
