import { expect } from 'chai';
import { account, type Account } from '../../commands/accounts/account.ts';
import { decideAddAlias, decideRemoveAlias, MAX_ALIASES } from '../../commands/accounts/aliases.ts';
import { decideCreate } from '../../commands/accounts/create-account.ts';
import {
  checkSuccessor,
  decideCancelMove,
  decideMove,
  decideReplay,
} from '../../commands/accounts/migrate.ts';
import type { AccountEvent } from '../../src/events/accounts.ts';
import { AccountMoved } from '../../src/events/moves.ts';
import { fold } from '../../src/kernel/decider.ts';
import { refusalCode } from '../support/refusal.ts';

const ID = '115500000000000000';
const NOW = '2026-11-21T08:00:00.000Z';
const [ALMOST, LATER] = ['2026-12-21T07:59:59.999Z', '2026-12-21T08:00:00.000Z'];
const HERE = 'https://rookery.example/users/alice';
const signedUp = decideCreate(
  { state: 'none' },
  {
    ...{ username: 'alice', email: 'alice@example.org', password: 'correct horse', locale: 'en' },
    ...{ confirmed: true, approved: true, role: null, reason: null, applicationId: null, signUpIp: null },
  },
  { id: ID, now: NOW, origin: 'https://rookery.example' },
);
const given = (...events: AccountEvent[]): Account => fold(account, [...signedUp, ...events]);
const nobody = fold(account, []);

describe('The aliases of an account', () => {
  const other = (name: string) => ({ id: '115500000000000009', uri: `https://far.example/users/${name}` });
  const added = (name: string): AccountEvent => ({
    type: 'AccountAliasAdded',
    data: { account_id: ID, uri: other(name).uri },
  });
  const removed = (name: string): AccountEvent => ({
    type: 'AccountAliasRemoved',
    data: { account_id: ID, uri: other(name).uri },
  });

  it('are added once, and removed only when they exist', () => {
    expect(decideAddAlias(given(), other('a'))).to.deep.equal([added('a')]);
    expect(decideAddAlias(given(added('a')), other('a'))).to.deep.equal([]);
    expect(decideRemoveAlias(given(added('a')), ['a', other('a').uri])).to.deep.equal([removed('a')]);
    const gone = given(added('a'), added('b'), removed('a'));
    expect(refusalCode(() => decideRemoveAlias(gone, [other('a').uri]))).to.equal('invalid');
    expect(decideAddAlias(gone, other('a'))).to.deep.equal([added('a')]);
  });

  it('are limited in number and never the account itself', () => {
    const many = Array.from({ length: MAX_ALIASES }, (_, n) => added(`n${n}`));
    expect(refusalCode(() => decideAddAlias(given(...many), other('a')))).to.equal('invalid');
    expect(decideAddAlias(given(...many, removed('n3')), other('a'))).to.deep.equal([added('a')]);
    expect(refusalCode(() => decideAddAlias(given(), { id: ID, uri: HERE }))).to.equal('invalid');
  });

  it('belong only to existing accounts', () => {
    for (const state of [nobody, given({ type: 'AccountErased', data: { account_id: ID } })]) {
      expect(refusalCode(() => decideAddAlias(state, other('a')))).to.equal('not_found');
      expect(refusalCode(() => decideRemoveAlias(state, [other('a').uri]))).to.equal('not_found');
    }
  });
});

describe('A move of an account', () => {
  const [there, elsewhere] = ['115500000000000001', '115500000000000002'];
  const to = (target_account_id: string, manner: { force?: boolean; at?: string; alone?: boolean } = {}) => {
    const { force = false, at = NOW, alone = false } = manner;
    return { target_account_id, moved_at: at, withFollowers: !alone, force };
  };
  const moved = (target_account_id: string, with_followers = true, moved_at = NOW): AccountEvent => ({
    type: 'AccountMoved',
    data: { account_id: ID, target_account_id, moved_at, with_followers },
  });
  const cancelled: AccountEvent = { type: 'AccountMoveCancelled', data: { account_id: ID } };

  it('happens once, and to another target only by force', () => {
    expect(decideMove(given(), to(there))).to.deep.equal([moved(there)]);
    expect(decideMove(given(moved(there)), to(there))).to.deep.equal([]);
    expect(refusalCode(() => decideMove(given(moved(there)), to(elsewhere, { at: LATER })))).to.equal(
      'invalid',
    );
    expect(decideMove(given(moved(there)), to(elsewhere, { force: true }))).to.deep.equal([moved(elsewhere)]);
    for (const force of [false, true]) {
      expect(refusalCode(() => decideMove(given(), to(ID, { force })))).to.equal('invalid');
      expect(refusalCode(() => decideMove(nobody, to(there, { force })))).to.equal('not_found');
    }
  });

  it('can be cancelled, and repeated after 30 days or by force', () => {
    expect(decideCancelMove(given())).to.deep.equal([]);
    expect(decideCancelMove(given(moved(there)))).to.deep.equal([cancelled]);
    const back = given(moved(there), cancelled);
    for (const target of [there, elsewhere]) {
      expect(refusalCode(() => decideMove(back, to(target, { at: ALMOST })))).to.equal('invalid');
      expect(decideMove(back, to(target, { at: LATER }))).to.deep.equal([moved(target, true, LATER)]);
      expect(decideMove(back, to(target, { force: true }))).to.deep.equal([moved(target)]);
    }
  });

  it('can be a mere redirect, which needs no waiting time and can become a move', () => {
    expect(decideMove(given(), to(there, { alone: true }))).to.deep.equal([moved(there, false)]);
    const redirecting = given(moved(there, false));
    expect(decideMove(redirecting, to(there, { alone: true }))).to.deep.equal([]);
    expect(decideMove(redirecting, to(there))).to.deep.equal([moved(there)]);
    expect(refusalCode(() => decideMove(redirecting, to(elsewhere, { alone: true })))).to.equal('invalid');
    expect(decideMove(given(moved(there)), to(there, { alone: true }))).to.deep.equal([]);
    const back = given(moved(there), cancelled, moved(there, false));
    expect(refusalCode(() => decideMove(back, to(there)))).to.equal('invalid');
    expect(decideMove(back, to(there, { at: LATER }))).to.deep.equal([moved(there, true, LATER)]);
  });

  it('can be announced again unless it was cancelled or was only a redirect', () => {
    expect(decideReplay(given(moved(there)))).to.deep.equal([moved(there)]);
    for (const state of [
      given(),
      given(moved(there, false)),
      given(moved(there), cancelled),
      given(moved(there), cancelled, moved(there, false)),
    ]) {
      expect(refusalCode(() => decideReplay(state))).to.equal('invalid');
    }
  });

  it('took followers along when an older event does not say', () => {
    const before = AccountMoved.samples[1] ?? {};
    expect(AccountMoved.upcasts?.[1]?.(before)).to.deep.equal({ ...before, with_followers: true });
  });

  it('requires a target that has this account as an alias, has not moved and is not suspended', () => {
    const successor = { id: there, alsoKnownAs: ['https://far.example/x', HERE], ...NEITHER };
    const check = (change: object, manner: object = {}): string | undefined =>
      refusalCode(() =>
        checkSuccessor(
          { ...successor, ...change },
          { uri: HERE, withFollowers: true, force: false, ...manner },
        ),
      );
    expect(check({})).to.equal(undefined);
    for (const manner of [{}, { force: true }, { withFollowers: false }]) {
      expect(check({ hasMoved: true }, manner)).to.equal('invalid');
      expect(check({ suspended: true }, manner)).to.equal('invalid');
    }
    expect(check({ alsoKnownAs: ['https://far.example/x'] })).to.equal('invalid');
    expect(check({ alsoKnownAs: [] }, { force: true })).to.equal(undefined);
    expect(check({ alsoKnownAs: [] }, { withFollowers: false })).to.equal(undefined);
  });
});

const NEITHER = { hasMoved: false, suspended: false };
