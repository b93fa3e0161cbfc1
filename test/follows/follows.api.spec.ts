import { expect } from 'chai';
import type { Account } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';
import { expectScope } from '../support/scopes.ts';

describeTown('POST /api/v1/follows', (town) => {
  let alice: Person;
  let bob: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('Bob');
    await town.suspend(await town.person('suspended'));
  });

  for (const uri of [
    'Bob',
    'bob',
    '@bob',
    'bob@rookery.example',
    '@BOB@Rookery.Example',
    ' bob ',
    'acct:bob@rookery.example',
  ]) {
    it(`follows ${uri} and replies with the account`, async () => {
      const { status, json } = await alice.post('/api/v1/follows', { uri });
      expect(status).to.equal(200);
      expect(json).to.include({ id: bob.id, acct: 'Bob', followers_count: 1 });
      const followers = await town.nobody.get<Account[]>(`/api/v1/accounts/${bob.id}/followers`);
      expect(followers.json.map(({ id }) => id)).to.deep.equal([alice.id]);
      await alice.post(`/api/v1/accounts/${bob.id}/unfollow`);
    });
  }

  it('asks an account of another server, by its name or its ActivityPub URI', async () => {
    const far = await remoteAccount(town.app, 'far', 'far.example');
    for (const uri of ['far@far.example', 'https://far.example/users/far']) {
      const { status, json } = await alice.post('/api/v1/follows', { uri });
      expect(status).to.equal(200);
      expect(json).to.include({ id: far, acct: 'far@far.example' });
      const { json: now } = await alice.post(`/api/v1/accounts/${far}/unfollow`);
      expect(now).to.include({ requested: false });
    }
  });

  it('finds no account under other names', async () => {
    const before = await town.events();
    const uris = ['nobody', 'bob@elsewhere.example', 'suspended', '', '@', 'https://example.org/x', '%'];
    for (const body of [...uris.map((uri) => ({ uri })), {}, { uri: { a: 1 } }]) {
      const { status, json } = await alice.post('/api/v1/follows', body);
      expect([body, status]).to.deep.equal([body, 404]);
      expect(json).to.deep.equal({ error: 'Record not found' });
    }
    expect((await alice.post('/api/v1/follows', { uri: 'alice' })).status).to.equal(403);
    expect((await alice.post('/api/v1/follows', { uri: 'x'.repeat(5_000) })).status).to.equal(422);
    expect((await alice.post('/api/v1/follows', { uri: 'bob\u0000' })).status).to.equal(400);
    expect(await town.events()).to.equal(before);
  });

  it('needs a token of a user with the scope', async () => {
    const body = { uri: 'bob' };
    await expectScope(town, alice, (who) => who.post('/api/v1/follows', body), {
      enough: ['follow'],
      others: ['read', 'write:statuses'],
    });
  });
});
