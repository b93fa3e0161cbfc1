import { expect } from 'chai';
import { account } from '../../commands/accounts/index.ts';
import { decideUpsertRemoteAccount, type RemoteAccount } from '../../commands/federation/index.ts';
import { emptyProfile, type AccountEvent } from '../../src/events/accounts.ts';
import { given } from '../support/given.ts';

const ID = '115500000000000000';
const OLD = 'https://far.example/users/carol';
const NEW = 'https://far.example/ap/carol';
const NOW = '2026-11-29T08:00:00.000Z';

const inboxesOf = (uri: string) => ({ inbox: `${uri}/inbox`, shared_inbox: null, followers_uri: null });
const there = (changes: Partial<RemoteAccount> = {}): RemoteAccount => ({
  ...{ username: 'carol', domain: 'far.example', uri: OLD, url: OLD, createdAt: NOW },
  ...{ profile: emptyProfile, suspended: false, inboxes: inboxesOf(changes.uri ?? OLD) },
  ...changes,
});
const created: AccountEvent[] = [
  {
    type: 'AccountCreated',
    data: {
      ...{ id: ID, username: 'carol', domain: 'far.example', uri: OLD, url: OLD, created_at: NOW },
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
          ...{ account_id: ID, username: 'caroline', former_username: 'carol', domain: 'far.example' },
          ...{ url: 'https://far.example/@caroline', renamed_at: NOW },
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
