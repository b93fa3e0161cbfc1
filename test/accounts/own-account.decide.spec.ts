import { expect } from 'chai';
import { account, type Account } from '../../commands/accounts/account.ts';
import { decideChangeEmail, decideRequestEmailChange } from '../../commands/accounts/change-email.ts';
import { decideCreate } from '../../commands/accounts/create-account.ts';
import { decideEraseOwn } from '../../commands/accounts/erase.ts';
import { requireOwner } from '../../commands/accounts/reset-password.ts';
import { traces } from '../../commands/erasure/traces.ts';
import type { AccountEvent, UserRole } from '../../src/events/accounts.ts';
import { fold } from '../../src/kernel/decider.ts';
import { refusalCode } from '../support/refusal.ts';

const ID = '115500000000000000';
const OLD = 'alice@example.org';
const NEW = 'alice@example.net';

const signedUp = (role: UserRole | null = null): AccountEvent[] =>
  decideCreate(
    { state: 'none' },
    {
      ...{ username: 'alice', email: OLD, password: 'x', locale: 'en', reason: null },
      ...{ confirmed: true, approved: true, role, applicationId: null, signUpIp: null },
    },
    { id: ID, now: '2026-11-21T08:00:00.000Z', origin: 'https://rookery.example' },
  );
const given = (...events: AccountEvent[]): Account => fold(account, [...signedUp(), ...events]);
const about = <Type extends string>(type: Type): { type: Type; data: { account_id: string } } => ({
  type,
  data: { account_id: ID },
});
const requested = (email = NEW): AccountEvent => ({
  type: 'UserEmailChangeRequested',
  data: { account_id: ID, email },
});
const changed: AccountEvent = {
  type: 'UserEmailChanged',
  data: { account_id: ID, email: NEW, confirmed: true },
};
const nobody: Account[] = [{ state: 'none' }, { state: 'erased' }, { state: 'rejected' }];

describe('The decision to change the e-mail address', () => {
  it('records each request for a new address', () => {
    expect(decideRequestEmailChange(given(), NEW)).to.deep.equal([requested()]);
    expect(decideRequestEmailChange(given(requested()), NEW)).to.deep.equal([requested()]);
    expect(refusalCode(() => decideRequestEmailChange(given(), OLD))).to.equal('invalid');
    for (const state of nobody) {
      expect(refusalCode(() => decideRequestEmailChange(state, NEW))).to.equal('not_found');
    }
  });

  it('changes the address on confirmation of the latest request', () => {
    const waiting = given(requested());
    expect(waiting).to.have.nested.include({ 'user.email': OLD, 'user.wantedEmail': NEW });
    expect(decideChangeEmail(waiting, NEW)).to.deep.equal([changed]);
    expect(given(requested(), changed)).to.have.nested.include({
      'user.email': NEW,
      'user.wantedEmail': null,
    });
    for (const state of [
      given(),
      given(requested(), changed),
      given(requested(), requested('another@example.net')),
      // A new password cancels a request made under the old one.
      given(requested(), about('UserPasswordReset')),
      ...nobody,
    ]) {
      expect(refusalCode(() => decideChangeEmail(state, NEW))).to.equal('gone');
    }
  });

  it('leaves a trace for a later erasure', () => {
    expect(fold(traces, [...signedUp(), requested()]).emails).to.deep.equal([OLD, NEW]);
  });
});

describe('The decision to reset a forgotten password', () => {
  it('accepts a link only for the current address', () => {
    expect(requireOwner(given(), OLD).account.id).to.equal(ID);
    for (const [state, email] of [
      [given(), NEW],
      [given(requested(), changed), OLD],
      ...nobody.map((each) => [each, OLD] as const),
    ] as const) {
      expect(refusalCode(() => requireOwner(state, email))).to.equal('gone');
    }
  });
});

describe("The decision to erase one's own account", () => {
  it('suspends the account together with the erasure, and is final', () => {
    const events = [about('AccountSuspended'), about('AccountErased')];
    expect(decideEraseOwn(given())).to.deep.equal(events);
    expect(decideEraseOwn(given(about('AccountSuspended')))).to.deep.equal([about('AccountErased')]);
    expect(refusalCode(() => decideEraseOwn(given(...events)))).to.equal('not_found');
  });

  it('is open to staff as well', () => {
    for (const role of ['Moderator', 'Admin', 'Owner'] as const) {
      expect(decideEraseOwn(fold(account, signedUp(role)))).to.have.length(2);
    }
  });
});
