import { expect } from 'chai';
import { type Account, account } from '#commands/accounts/account.ts';
import { decideCreate } from '#commands/accounts/create-account.ts';
import { decideAction, decideLifting, decideOnSignUp, type Sanction } from '#commands/accounts/moderate.ts';
import { type AccountEvent, emptyProfile, type UserRole } from '#events/accounts.ts';
import { type AccountAction, type Lifting } from '#events/moderation.ts';
import { given } from '../support/given.ts';
import { refusalCode } from '../support/refusal.ts';

const ID = '115500000000000000';
const NOW = '2026-11-21T08:00:00.000Z';
const signedUp = (role: UserRole | null = null, approved = true): AccountEvent[] =>
  decideCreate(
    { state: 'none' },
    {
      username: 'alice',
      email: 'alice@example.org',
      password: 'x',
      locale: 'en',
      reason: null,
      confirmed: true,
      approved,
      role,
      applicationId: null,
      signUpIp: null,
    },
    { id: ID, now: NOW, origin: 'https://rookery.example' },
  );
const remote: AccountEvent = {
  type: 'AccountCreated',
  data: {
    id: ID,
    username: 'rita',
    domain: 'remote.example',
    created_at: NOW,
    ...emptyProfile,
    uri: 'https://remote.example/users/rita',
    url: 'https://remote.example/@rita',
  },
};
const local = (...events: AccountEvent[]): Account => given(account, ...signedUp(), ...events).state;
const about = <Type extends string>(type: Type): { type: Type; data: { account_id: string } } => ({
  type,
  data: { account_id: ID },
});
const sanction = (action: AccountAction, more: Partial<Sanction> = {}): Sanction => ({
  action,
  id: '7',
  text: 'Be kind',
  reportId: '8',
  statusIds: ['9'],
  notify: true,
  ...more,
});
const strike = (action: AccountAction, more: object = {}) => ({
  type: 'AccountWarned',
  data: {
    id: '7',
    account_id: ID,
    action,
    text: 'Be kind',
    report_id: '8',
    status_ids: ['9'],
    notified: true,
    ...more,
  },
});
const mod = { role: 'Moderator' };

describe('Decisions of staff about accounts', () => {
  const MEASURES = [
    { action: 'sensitive', event: 'AccountSensitized', lifting: 'unsensitive', ends: 'AccountUnsensitized' },
    { action: 'silence', event: 'AccountSilenced', lifting: 'unsilence', ends: 'AccountUnsilenced' },
    { action: 'suspend', event: 'AccountSuspended', lifting: 'unsuspend', ends: 'AccountUnsuspended' },
    { action: 'disable', event: 'UserDisabled', lifting: 'enable', ends: 'UserEnabled' },
  ] as const;

  for (const { action, event, lifting, ends } of MEASURES) {
    it(`let ${action} happen once with a strike each time, end with ${lifting} and happen again`, () => {
      const done = [about(event), strike(action)];
      expect(decideAction(local(), sanction(action), mod)).to.deep.equal(done);
      expect(decideAction(local(about(event)), sanction(action), mod)).to.deep.equal([strike(action)]);
      expect(decideLifting(local(about(event)), lifting, mod)).to.deep.equal([about(ends)]);
      expect(decideAction(local(about(event), about(ends)), sanction(action), mod)).to.deep.equal(done);
    });
  }

  it('record a warning as a strike alone, each time', () => {
    expect(decideAction(local(), sanction('none'), mod)).to.deep.equal([strike('none')]);
    expect(decideAction(local(about('AccountSuspended')), sanction('none'), mod)).to.deep.equal([
      strike('none'),
    ]);
  });

  it('notify neither remote accounts nor users when that is not wanted', () => {
    expect(decideAction(local(), sanction('none', { notify: false }), mod)).to.deep.equal([
      strike('none', { notified: false }),
    ]);
    given(account, remote)
      .when(decideAction, sanction('silence'), mod)
      .then([about('AccountSilenced'), strike('silence', { notified: false })]);
  });

  it('refuse to disable, enable or approve remote accounts', () => {
    given(account, remote).when(decideAction, sanction('disable'), mod).thenRefuses('invalid');
    given(account, remote).when(decideLifting, 'enable', mod).thenRefuses('forbidden');
    given(account, remote).when(decideOnSignUp, 'UserApproved', mod).thenRefuses('forbidden');
  });

  it('refuse to unsuspend an account that is not suspended, and leave other lifted states alone', () => {
    expect(refusalCode(() => decideLifting(local(), 'unsuspend', mod))).to.equal('forbidden');
    for (const lifting of ['enable', 'unsensitive', 'unsilence'] as const) {
      expect(decideLifting(local(), lifting, mod), lifting).to.deep.equal([]);
    }
  });

  it('forbid acting against the same or a higher role, except for the operator', () => {
    const roles: readonly (UserRole | null)[] = [null, 'Moderator', 'Admin', 'Owner'];
    for (const [rank, role] of roles.entries()) {
      for (const [other, target] of roles.entries()) {
        const state = given(account, ...signedUp(target), about('AccountSuspended'));
        const waiting = given(account, ...signedUp(target, false));
        const works = [
          () => state.when(decideAction, sanction('silence'), { role }).decided(),
          () => state.when(decideLifting, 'unsuspend', { role }).decided(),
          () => waiting.when(decideOnSignUp, 'UserRejected', { role }).decided(),
        ];
        for (const work of works) {
          expect(refusalCode(work), `${role} on ${target}`).to.equal(rank > other ? undefined : 'forbidden');
        }
      }
    }
    expect(
      given(account, ...signedUp('Owner'))
        .when(decideAction, sanction('suspend'), undefined)
        .decided(),
    ).to.have.length(2);
  });

  it('approve or reject only pending sign-ups', () => {
    const waiting = given(account, ...signedUp(null, false));
    for (const type of ['UserApproved', 'UserRejected'] as const) {
      waiting.when(decideOnSignUp, type, mod).then([about(type)]);
      expect(refusalCode(() => decideOnSignUp(local(), type, mod))).to.equal('forbidden');
    }
    const rejected = given(account, ...signedUp(null, false), about('UserRejected'));
    expect(rejected.state).to.deep.equal({ state: 'rejected' });
    for (const state of [rejected.state, given(account).state]) {
      const works: (() => AccountEvent[])[] = [
        () => decideOnSignUp(state, 'UserRejected', mod),
        () => decideAction(state, sanction('suspend'), mod),
        ...(['enable', 'unsuspend'] satisfies Lifting[]).map((what) => () => decideLifting(state, what, mod)),
      ];
      for (const work of works) expect(refusalCode(work)).to.equal('not_found');
    }
  });
});
