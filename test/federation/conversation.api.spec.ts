import { expect } from 'chai';
import { ask } from '../support/peer.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('ActivityPub documents of this server', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;

  before(async function () {
    this.timeout(120_000);
    server = await startTestServer();
    alice = await server.user('alice');
  });
  after(() => server.close());

  const fetched = async (path: string): Promise<{ status: number; body: Record<string, unknown> }> => {
    const headers = { host: 'rookery.example', accept: 'application/activity+json' };
    const { status, body } = await ask(server.url, path, headers);
    return { status, body: JSON.parse(body) as Record<string, unknown> };
  };
  const pathOf = (uri: unknown): string => String(uri).replace(/^https?:\/\/rookery\.example/, '');
  const post = async (body: object): Promise<{ id: string; uri: string }> => {
    const answer = await server.call('POST', '/api/v1/statuses', { token: alice.token, body });
    return answer.body as { id: string; uri: string };
  };

  it('give the username as the name of an account without a display name', async () => {
    expect((await fetched('/users/alice')).body).deep.include({ name: 'alice' });
    const body = { display_name: 'Alice A.' };
    await server.call('PATCH', '/api/v1/accounts/update_credentials', { token: alice.token, body });
    expect((await fetched('/users/alice')).body).deep.include({ name: 'Alice A.' });
  });

  it('list the public posts of a thread at the address of the conversation', async () => {
    const root = await post({ status: 'Root' });
    const reply = await post({ status: 'Reply', in_reply_to_id: root.id });
    const last = await post({ status: 'Last', in_reply_to_id: reply.id });
    await post({ status: 'Hidden', in_reply_to_id: last.id, visibility: 'private' });
    const { conversation } = (await fetched(pathOf(last.uri))).body;
    const { status, body } = await fetched(pathOf(conversation));
    expect(status).equal(200);
    expect(body).deep.include({ id: conversation, type: 'Collection', totalItems: 3 });
    expect(body['items']).deep.equal([root.uri, reply.uri, last.uri]);
    const alone = await post({ status: 'Alone', visibility: 'private' });
    for (const id of [alone.id, reply.id, '1', 'x']) {
      expect((await fetched(`/contexts/${id}`)).status, id).equal(404);
    }
  });
});
