import { expect } from 'chai';
import { account } from '#commands/accounts/account.ts';
import { decideCreate } from '#commands/accounts/create-account.ts';
import { decideErase } from '#commands/accounts/erase.ts';
import { decideDone } from '#commands/erasure/erase.ts';
import { decideCall, decideErasePost } from '#commands/erasure/take-back.ts';
import { traces } from '#commands/erasure/traces.ts';
import type { ScheduledStatus } from '#commands/scheduled-statuses/scheduled-status.ts';
import type { Status } from '#commands/statuses/status.ts';
import { type AccountEvent, type UserRole } from '#events/accounts.ts';
import { given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const ID = '115500000000000000';
const OTHER = '115500000000000001';
const signedUp = (role: UserRole | null = null): AccountEvent[] =>
  decideCreate(
    { state: 'none' },
    {
      username: 'alice',
      email: 'alice@example.org',
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
const admin = { role: 'Admin' };

describe('Deciding to erase an account', () => {
  it('requires a suspended account, happens once and is final', () => {
    const suspended = given(account, ...signedUp(), about('AccountSuspended'));
    suspended.when(decideErase, admin).then([about('AccountErased')]);
    const erased = given(account, ...signedUp(), about('AccountSuspended'), about('AccountErased'));
    expect(erased.state).to.deep.equal({ state: 'erased' });
    expect(
      given(account, ...signedUp(), about('AccountErased'), about('AccountUnsuspended')).state,
    ).to.deep.equal({ state: 'erased' });
    for (const staff of [admin, undefined]) {
      erased.when(decideErase, staff).thenRefuses('forbidden');
    }
    for (const state of [
      given(account, ...signedUp()).state,
      given(account, ...signedUp(), about('AccountSuspended'), about('AccountUnsuspended')).state,
    ]) {
      expect(refusalCode(() => decideErase(state, admin))).to.equal('forbidden');
    }
  });

  it('suspends the account first when the operator decides', () => {
    given(account, ...signedUp())
      .when(decideErase, undefined)
      .then([about('AccountSuspended'), about('AccountErased')]);
    given(account, ...signedUp(), about('AccountSuspended'))
      .when(decideErase, undefined)
      .then([about('AccountErased')]);
  });

  it('refuses accounts of equal or higher rank, and unknown accounts', () => {
    for (const role of ['Admin', 'Owner'] as const) {
      const state = given(account, ...signedUp(role), about('AccountSuspended'));
      expect(
        refusalCode(() => state.when(decideErase, admin).decided()),
        role,
      ).to.equal('forbidden');
    }
    for (const state of ['none', 'abandoned', 'rejected'] as const) {
      expect(
        refusalCode(() => decideErase({ state }, admin)),
        state,
      ).to.equal('not_found');
    }
  });
});

describe('An erasure', () => {
  const picture = { original: 'aa/bb/1.png', static: 'aa/bb/2.png' };

  it('finds every address and every picture that the account ever had', () => {
    const state = given(
      traces,
      ...signedUp(),
      { type: 'AccountUpdated', data: { id: ID, avatar: picture } },
      { type: 'AccountUpdated', data: { id: ID, avatar: { ...picture, original: 'aa/bb/3.png' } } },
      { type: 'AccountUpdated', data: { id: ID, avatar: null, header: null, note: 'x' } },
      { type: 'UserEmailChanged', data: { account_id: ID, email: 'new@example.org', confirmed: true } },
    );
    expect(state.state).to.deep.equal({
      emails: ['alice@example.org', 'new@example.org'],
      pictures: ['aa/bb/1.png', 'aa/bb/2.png', 'aa/bb/3.png'],
      ends: false,
      done: false,
    });
    const erased: AccountEvent = { type: 'UserConfirmed', data: { account_id: ID, email: '' } };
    expect(given(traces, erased).state.emails).to.deep.equal([]);
  });

  it('is recorded as done once, and only after it was decided', () => {
    const after = (...events: AccountEvent[]) => given(traces, ...signedUp(), ...events).when(decideDone, ID);
    after().then([]);
    after(about('AccountErased')).then([about('PersonalDataErased')]);
    after(about('UserRejected')).then([about('PersonalDataErased')]);
    after(about('AccountErased'), about('PersonalDataErased')).then([]);
  });

  it("deletes the account's existing posts and scheduled statuses, and no others", () => {
    const data = { id: '7', account_id: ID, visibility: 'private', in_reply_to_id: '6', text: 'x' };
    const post = { state: 'visible', data } as unknown as Status;
    const { text: _, ...gone } = data;
    expect(decideErasePost(post, ID)).to.deep.equal([{ type: 'StatusDeleted', data: gone }]);
    expect(decideErasePost({ ...post, state: 'deleted' } as Status, ID)).to.deep.equal([]);
    expect(decideErasePost(post, OTHER)).to.deep.equal([]);
    expect(decideErasePost({ state: 'none' }, ID)).to.deep.equal([]);
    const waiting = { state: 'waiting', data: { id: '8', account_id: ID } } as unknown as ScheduledStatus;
    expect(decideCall(waiting, ID)).to.deep.equal([
      { type: 'ScheduledStatusCancelled', data: { id: '8', account_id: ID } },
    ]);
    expect(decideCall(waiting, OTHER)).to.deep.equal([]);
    expect(decideCall({ state: 'cancelled' }, ID)).to.deep.equal([]);
  });
});
