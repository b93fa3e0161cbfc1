import { expect } from 'chai';
import { type Account, account } from '#commands/accounts/account.ts';
import { decideCreate } from '#commands/accounts/create-account.ts';
import { decideEraseOwn } from '#commands/accounts/erase.ts';
import { decideChangeEmail, decideRequestEmailChange } from '#commands/accounts/sign-in/change-email.ts';
import { requireOwner } from '#commands/accounts/sign-in/reset-password.ts';
import { traces } from '#commands/erasure/traces.ts';
import type { AccountEvent, UserRole } from '#events/accounts.ts';
import { given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const ID = '115500000000000000';
const OLD = 'alice@example.org';
const NEW = 'alice@example.net';

const signedUp = (role: UserRole | null = null): AccountEvent[] =>
  decideCreate(
    { state: 'none' },
    {
      username: 'alice',
      email: OLD,
      password: 'x',
      locale: 'en',
      reason: null,
      confirmed: true,
      approved: true,
      role,
      applicationId: null,
      signUpIp: null,
    },
    { id: ID, now: '2026-11-21T08:00:00.000Z', origin: 'https://rookery.example' },
  );
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
    given(account, ...signedUp())
      .when(decideRequestEmailChange, NEW)
      .then([requested()]);
    given(account, ...signedUp(), requested())
      .when(decideRequestEmailChange, NEW)
      .then([requested()]);
    given(account, ...signedUp())
      .when(decideRequestEmailChange, OLD)
      .thenRefuses('invalid');
    for (const state of nobody) {
      expect(refusalCode(() => decideRequestEmailChange(state, NEW))).to.equal('not_found');
    }
  });

  it('changes the address on confirmation of the latest request', () => {
    const waiting = given(account, ...signedUp(), requested());
    expect(waiting.state).to.have.nested.include({ 'user.email': OLD, 'user.wantedEmail': NEW });
    waiting.when(decideChangeEmail, NEW).then([changed]);
    expect(given(account, ...signedUp(), requested(), changed).state).to.have.nested.include({
      'user.email': NEW,
      'user.wantedEmail': null,
    });
    for (const state of [
      given(account, ...signedUp()).state,
      given(account, ...signedUp(), requested(), changed).state,
      given(account, ...signedUp(), requested(), requested('another@example.net')).state,
      // A new password cancels a request made under the old one.
      given(account, ...signedUp(), requested(), about('UserPasswordReset')).state,
      ...nobody,
    ]) {
      expect(refusalCode(() => decideChangeEmail(state, NEW))).to.equal('gone');
    }
  });

  it('leaves a trace for a later erasure', () => {
    expect(given(traces, ...signedUp(), requested()).state.emails).to.deep.equal([OLD, NEW]);
  });
});

describe('The decision to reset a forgotten password', () => {
  it('accepts a link only for the current address', () => {
    expect(requireOwner(given(account, ...signedUp()).state, OLD).account.id).to.equal(ID);
    for (const [state, email] of [
      [given(account, ...signedUp()).state, NEW],
      [given(account, ...signedUp(), requested(), changed).state, OLD],
      ...nobody.map((each) => [each, OLD] as const),
    ] as const) {
      expect(refusalCode(() => requireOwner(state, email))).to.equal('gone');
    }
  });
});

describe("The decision to erase one's own account", () => {
  it('suspends the account together with the erasure, and is final', () => {
    const events = [about('AccountSuspended'), about('AccountErased')];
    given(account, ...signedUp())
      .when(decideEraseOwn)
      .then(events);
    given(account, ...signedUp(), about('AccountSuspended'))
      .when(decideEraseOwn)
      .then([about('AccountErased')]);
    given(account, ...signedUp(), ...events)
      .when(decideEraseOwn)
      .thenRefuses('not_found');
  });

  it('is open to staff as well', () => {
    for (const role of ['Moderator', 'Admin', 'Owner'] as const) {
      expect(
        given(account, ...signedUp(role))
          .when(decideEraseOwn)
          .decided(),
      ).to.have.length(2);
    }
  });
});
