import { expect } from 'chai';
import { type AccountEvent, emptyProfile } from '#events/accounts.ts';
import { remoteInboxes } from '#projections/remote-inboxes.ts';
import type { Database } from '#storage/postgres/db.ts';
import { openScratchDatabase, project } from '../support/projection.ts';

const account = (id: string, domain: string | null, uri: string): AccountEvent => ({
  type: 'AccountCreated',
  data: {
    id,
    username: `u${id}`,
    domain,
    uri,
    url: uri,
    created_at: '2026-11-21T08:00:00.000Z',
    ...emptyProfile,
  },
});
const inboxes = (id: string, host: string): AccountEvent => ({
  type: 'RemoteInboxesChanged',
  data: {
    account_id: id,
    inbox: `https://${host}/${id}/inbox`,
    shared_inbox: `https://${host}/inbox`,
    followers_uri: null,
  },
});

const replaced = (account_id: string, uri: string): AccountEvent => ({
  type: 'AccountUriReplaced',
  data: { account_id, uri, url: uri, former_uri: uri, replaced_at: '2026-11-29T08:00:00.000Z' },
});

describe('The read model of inboxes', () => {
  let db: Database;
  before(async function () {
    this.timeout(60_000);
    db = await openScratchDatabase();
  });
  after(() => db.close());

  it('contains the present inboxes of remote accounts, and those without a known one', async () => {
    const { remote_inboxes: rows } = await project(db, remoteInboxes, [
      account('1', null, 'https://here.example/users/u1'),
      account('2', 'far.example', 'https://social.far.example/users/u2'),
      account('3', 'old.example', 'https://old.example:8443/users/u3'),
      inboxes('2', 'far.example'),
      inboxes('2', 'social.far.example'),
      account('4', 'new.example', 'https://new.example/users/u4'),
      inboxes('4', 'new.example'),
      replaced('4', 'https://ap.new.example/u4'),
    ]);
    expect(rows).to.have.deep.members([
      {
        account_id: 2,
        host: 'social.far.example',
        inbox: 'https://social.far.example/2/inbox',
        shared_inbox: 'https://social.far.example/inbox',
        followers_uri: null,
      },
      {
        account_id: 4,
        host: 'ap.new.example',
        inbox: 'https://new.example/4/inbox',
        shared_inbox: 'https://new.example/inbox',
        followers_uri: null,
      },
      { account_id: 3, host: 'old.example:8443', inbox: null, shared_inbox: null, followers_uri: null },
    ]);
  });
});
