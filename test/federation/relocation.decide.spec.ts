import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import {
  decideLoseHandle,
  decideUpsertRemoteAccount,
  type RemoteAccount,
} from '#commands/federation/index.ts';
import { type AccountEvent, emptyProfile } from '#events/accounts.ts';
import { given } from '../support/given.ts';

const ID = '115500000000000000';
const OLD = 'https://far.example/users/carol';
const NEW = 'https://far.example/ap/carol';
const NOW = '2026-11-29T08:00:00.000Z';

const inboxesOf = (uri: string) => ({ inbox: `${uri}/inbox`, shared_inbox: null, followers_uri: null });
const there = (changes: Partial<RemoteAccount> = {}): RemoteAccount => ({
  username: 'carol',
  domain: 'far.example',
  uri: OLD,
  url: OLD,
  createdAt: NOW,
  profile: emptyProfile,
  suspended: false,
  inboxes: inboxesOf(changes.uri ?? OLD),
  ...changes,
});
const created: AccountEvent[] = [
  {
    type: 'AccountCreated',
    data: {
      id: ID,
      username: 'carol',
      domain: 'far.example',
      uri: OLD,
      url: OLD,
      created_at: NOW,
      ...emptyProfile,
    },
  },
  { type: 'RemoteInboxesChanged', data: { account_id: ID, ...inboxesOf(OLD) } },
];
const replaced = (at: string, uri = NEW, former_uri = OLD): AccountEvent => ({
  type: 'AccountUriReplaced',
  data: { account_id: ID, uri, url: uri, former_uri, replaced_at: at },
});
const moved = there({ uri: NEW, url: NEW });
const decide = (remote: RemoteAccount, confirmedAt?: string, past = created) =>
  given(account, ...past).when(decideUpsertRemoteAccount, ID, remote, confirmedAt);

describe('A remote account with other names', () => {
  it('gets another URI and its inboxes once WebFinger has confirmed it', () => {
    decide(moved, NOW).then([
      replaced(NOW),
      { type: 'RemoteInboxesChanged', data: { account_id: ID, ...inboxesOf(NEW) } },
    ]);
    decide(moved).then([]);
  });

  it('gets another name on the same domain once WebFinger has confirmed it', () => {
    const renamed = there({ username: 'caroline', url: 'https://far.example/@caroline' });
    decide(renamed, NOW).then([
      {
        type: 'RemoteAccountRenamed',
        data: {
          account_id: ID,
          username: 'caroline',
          former_username: 'carol',
          domain: 'far.example',
          url: 'https://far.example/@caroline',
          renamed_at: NOW,
        },
      },
    ]);
    decide(renamed).then([]);
    decide(there({ username: 'caroline', domain: 'other.example' }), NOW).then([]);
  });

  it('keeps the last names after three changes within thirty days', () => {
    const flips = ['2026-10-30T08:00:01.000Z', '2026-11-10T08:00:00.000Z', '2026-11-20T08:00:00.000Z'].map(
      (at, turn) => (turn % 2 === 0 ? replaced(at) : replaced(at, OLD, NEW)),
    );
    const past = [...created, ...flips];
    decide(there(), NOW, past).then([]);
    const later = decide(there(), '2026-11-29T08:00:01.000Z', past).decided();
    expect(later.map(({ type }) => type)).to.deep.equal(['AccountUriReplaced']);
    const profile = { ...emptyProfile, display_name: 'Carol' };
    const renamed = there({ username: 'caroline', uri: NEW, url: NEW, profile });
    decide({ ...renamed, inboxes: inboxesOf(OLD) }, NOW, past).then([
      { type: 'AccountUpdated', data: { id: ID, display_name: 'Carol' } },
    ]);
  });

  it('keeps its URI while it is suspended here, and after it is gone', () => {
    for (const type of ['AccountSuspended', 'RemoteAccountGone'] as const) {
      const past: AccountEvent[] = [...created, { type, data: { account_id: ID } }];
      decide(moved, NOW, past).then([]);
    }
  });
});

describe('A handle that another account takes', () => {
  const lose = (past: AccountEvent[], handle = 'carol@far.example') =>
    given(account, ...past).when(decideLoseHandle, handle, { takerId: '9', now: NOW });
  const lost: AccountEvent = {
    type: 'RemoteHandleLost',
    data: { account_id: ID, username: 'carol', domain: 'far.example', new_account_id: '9', lost_at: NOW },
  };

  it('is lost once, by the account that goes by it', () => {
    lose(created).then([lost]);
    lose([...created, lost]).then([]);
    lose(created, 'dora@far.example').then([]);
    lose([]).then([]);
  });

  it('comes back with a confirmation alone, also under the same name', () => {
    decide(there(), undefined, [...created, lost]).then([]);
    const naming = { account_id: ID, username: 'carol', former_username: 'carol', domain: 'far.example' };
    const back: AccountEvent = {
      type: 'RemoteAccountRenamed',
      data: { ...naming, url: OLD, renamed_at: NOW },
    };
    decide(there(), NOW, [...created, lost]).then([back]);
    lose([...created, lost, back]).then([lost]);
  });
});

describe('The profile of a remote account', () => {
  it('loses the optional members that the new version of its actor lacks', () => {
    const feature_policy = { automatic: ['public' as const], manual: [] };
    const had = there({ profile: { ...emptyProfile, group: true, memorial: true, feature_policy } });
    const past = [...created, ...decide(had).decided()];
    const lacks = there({ profile: { ...emptyProfile, memorial: false } });
    const changed = decide(lacks, undefined, past).decided();
    expect(changed).to.deep.equal([
      { type: 'AccountUpdated', data: { id: ID, group: false, memorial: false, feature_policy: null } },
    ]);
    decide(lacks, undefined, [...past, ...changed]).then([]);
  });
});
