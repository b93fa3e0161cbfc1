import { expect } from 'chai';
import { account } from '#commands/accounts/account.ts';
import { decideAddAlias, decideRemoveAlias, MAX_ALIASES } from '#commands/accounts/aliases.ts';
import { decideCreate } from '#commands/accounts/create-account.ts';
import { checkSuccessor, decideCancelMove, decideMove, decideReplay } from '#commands/accounts/migrate.ts';
import type { AccountEvent } from '#events/accounts.ts';
import { AccountMoved } from '#events/moves.ts';
import { given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const ID = '115500000000000000';
const NOW = '2026-11-21T08:00:00.000Z';
const [ALMOST, LATER] = ['2026-12-21T07:59:59.999Z', '2026-12-21T08:00:00.000Z'];
const HERE = 'https://rookery.example/users/alice';
const signedUp = decideCreate(
  { state: 'none' },
  {
    username: 'alice',
    email: 'alice@example.org',
    password: 'correct horse',
    locale: 'en',
    confirmed: true,
    approved: true,
    role: null,
    reason: null,
    applicationId: null,
    signUpIp: null,
  },
  { id: ID, now: NOW, origin: 'https://rookery.example' },
);
const nobody = given(account);

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
    given(account, ...signedUp)
      .when(decideAddAlias, other('a'))
      .then([added('a')]);
    given(account, ...signedUp, added('a'))
      .when(decideAddAlias, other('a'))
      .then([]);
    given(account, ...signedUp, added('a'))
      .when(decideRemoveAlias, ['a', other('a').uri])
      .then([removed('a')]);
    const gone = given(account, ...signedUp, added('a'), added('b'), removed('a'));
    gone.when(decideRemoveAlias, [other('a').uri]).thenRefuses('invalid');
    gone.when(decideAddAlias, other('a')).then([added('a')]);
  });

  it('are limited in number and never the account itself', () => {
    const many = Array.from({ length: MAX_ALIASES }, (_, n) => added(`n${n}`));
    given(account, ...signedUp, ...many)
      .when(decideAddAlias, other('a'))
      .thenRefuses('invalid');
    given(account, ...signedUp, ...many, removed('n3'))
      .when(decideAddAlias, other('a'))
      .then([added('a')]);
    given(account, ...signedUp)
      .when(decideAddAlias, { id: ID, uri: HERE })
      .thenRefuses('invalid');
  });

  it('belong only to existing accounts', () => {
    for (const state of [
      nobody.state,
      given(account, ...signedUp, { type: 'AccountErased', data: { account_id: ID } }).state,
    ]) {
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
    given(account, ...signedUp)
      .when(decideMove, to(there))
      .then([moved(there)]);
    given(account, ...signedUp, moved(there))
      .when(decideMove, to(there))
      .then([]);
    given(account, ...signedUp, moved(there))
      .when(decideMove, to(elsewhere, { at: LATER }))
      .thenRefuses('invalid');
    given(account, ...signedUp, moved(there))
      .when(decideMove, to(elsewhere, { force: true }))
      .then([moved(elsewhere)]);
    for (const force of [false, true]) {
      given(account, ...signedUp)
        .when(decideMove, to(ID, { force }))
        .thenRefuses('invalid');
      nobody.when(decideMove, to(there, { force })).thenRefuses('not_found');
    }
  });

  it('can be cancelled, and repeated after 30 days or by force', () => {
    given(account, ...signedUp)
      .when(decideCancelMove)
      .then([]);
    given(account, ...signedUp, moved(there))
      .when(decideCancelMove)
      .then([cancelled]);
    const back = given(account, ...signedUp, moved(there), cancelled);
    for (const target of [there, elsewhere]) {
      back.when(decideMove, to(target, { at: ALMOST })).thenRefuses('invalid');
      back.when(decideMove, to(target, { at: LATER })).then([moved(target, true, LATER)]);
      back.when(decideMove, to(target, { force: true })).then([moved(target)]);
    }
  });

  it('can be a mere redirect, which needs no waiting time and can become a move', () => {
    given(account, ...signedUp)
      .when(decideMove, to(there, { alone: true }))
      .then([moved(there, false)]);
    const redirecting = given(account, ...signedUp, moved(there, false));
    redirecting.when(decideMove, to(there, { alone: true })).then([]);
    redirecting.when(decideMove, to(there)).then([moved(there)]);
    redirecting.when(decideMove, to(elsewhere, { alone: true })).thenRefuses('invalid');
    given(account, ...signedUp, moved(there))
      .when(decideMove, to(there, { alone: true }))
      .then([]);
    const back = given(account, ...signedUp, moved(there), cancelled, moved(there, false));
    back.when(decideMove, to(there)).thenRefuses('invalid');
    back.when(decideMove, to(there, { at: LATER })).then([moved(there, true, LATER)]);
  });

  it('can be announced again unless it was cancelled or was only a redirect', () => {
    given(account, ...signedUp, moved(there))
      .when(decideReplay)
      .then([moved(there)]);
    for (const state of [
      given(account, ...signedUp).state,
      given(account, ...signedUp, moved(there, false)).state,
      given(account, ...signedUp, moved(there), cancelled).state,
      given(account, ...signedUp, moved(there), cancelled, moved(there, false)).state,
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
