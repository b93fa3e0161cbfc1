import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, ok, type Person } from '../support/people.ts';

/** Paths below `/api/v1/statuses/:id`. */
const ENDPOINTS = [
  ...['favourite', 'bookmark', 'pin', 'unpin', 'mute', 'unmute', 'translate', 'quotes/1/revoke'].map(
    (path) => ['post', path],
  ),
  ...['source', 'quotes'].map((path) => ['get', path]),
  ['put', 'interaction_policy'],
] as const;

describeTown('An unauthorized request about a post', function (town) {
  this.timeout(60_000);
  let alice: Person;
  let bob: Person;
  let application: Client;
  let narrow: Client;
  let broken: Client;
  before(async () => {
    alice = await town.person('alice');
    bob = await town.person('bob');
    application = await town.appOnly();
    narrow = await bob.withScopes('profile');
    broken = town.withToken('nothing');
  });

  const post = async (body: object): Promise<string> => {
    const { id } = await ok(alice.post<Status>('/api/v1/statuses', body));
    await town.waitUntilIdle();
    return id;
  };
  const answers = async (client: Client, id: string): Promise<Set<string>> => {
    const found = new Set<string>();
    for (const [method, path] of ENDPOINTS) {
      const answer = await client[method as 'get' | 'post' | 'put'](`/api/v1/statuses/${id}/${path}`);
      found.add(`${answer.status} ${(answer.json as { error: string }).error}`);
    }
    return found;
  };

  it('gets the token or scope error when the post is public', async () => {
    const id = await post({ status: 'for all' });
    for (const client of [town.nobody, broken]) {
      expect([...(await answers(client, id))]).to.deep.equal(['401 The access token is invalid']);
    }
    expect([...(await answers(narrow, id))]).to.deep.equal([
      '403 This action is outside the authorized scopes',
    ]);
  });

  it('gets the same 404 for a hidden post as for a missing one', async () => {
    const hidden = [
      await post({ status: 'for followers', visibility: 'private' }),
      await post({ status: 'for @alice alone', visibility: 'direct' }),
    ];
    const deleted = await post({ status: 'gone' });
    await ok(alice.delete(`/api/v1/statuses/${deleted}`));
    for (const id of [...hidden, deleted, '115500000000000020', 'x']) {
      for (const client of [town.nobody, broken, narrow]) {
        expect([...(await answers(client, id))], id).to.deep.equal(['404 Not Found']);
      }
      for (const path of ['bookmark', 'favourite', 'pin', 'mute']) {
        const { status, json } = await application.post(`/api/v1/statuses/${id}/${path}`);
        expect([status, json], path).to.deep.equal([404, { error: 'Not Found' }]);
      }
      for (const path of ['favourited_by', 'reblogged_by', 'history']) {
        const { status, json } = await narrow.get(`/api/v1/statuses/${id}/${path}`);
        expect([status, json], path).to.deep.equal([404, { error: 'Not Found' }]);
      }
    }
  });

  it('gets the scope error when the user of the token can see the post', async () => {
    const id = await post({ status: 'for @bob', visibility: 'direct' });
    expect([...(await answers(narrow, id))]).to.deep.equal([
      '403 This action is outside the authorized scopes',
    ]);
    expect([...(await answers(town.nobody, id))]).to.deep.equal(['404 Not Found']);
  });

  it('gets the token error when the endpoint looks the post up later', async () => {
    const id = await post({ status: 'for followers', visibility: 'private' });
    for (const path of ['reblog', 'unreblog', 'unfavourite', 'unbookmark']) {
      expect((await town.nobody.post(`/api/v1/statuses/${id}/${path}`)).status, path).to.equal(401);
    }
    expect((await town.nobody.delete(`/api/v1/statuses/${id}`)).status).to.equal(401);
  });
});
