import { expect } from 'chai';
import { changeSettings } from '../../commands/instance/index.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('Public and hashtag timelines', () => {
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  const posted: Record<string, string> = {};

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
    const post = async (name: string, user: TestUser, status: string, more = {}): Promise<void> => {
      const { body } = await server.call('POST', '/api/v1/statuses', {
        token: user.token,
        body: { status, ...more },
      });
      posted[name] = body.id as string;
    };
    await post('cats', alice, 'all about #Cats');
    await post('both', alice, '#cats and #dogs');
    await post('dogs', bob, '#dogs alone');
    await post('unlisted', bob, '#cats, not on lists', { visibility: 'unlisted' });
    await post('answer', bob, 'an answer', { in_reply_to_id: posted['cats'] });
  });
  after(() => server.close());

  const ids = async (path: string, token?: string): Promise<string[]> => {
    const { body } = await server.call('GET', path, { token });
    return (body as { id: string }[]).map(
      ({ id }) => Object.keys(posted).find((key) => posted[key] === id) ?? id,
    );
  };

  it('show public posts that answer nobody, newest first', async () => {
    expect(await ids('/api/v1/timelines/public')).to.deep.equal(['dogs', 'both', 'cats']);
    expect(await ids('/api/v1/timelines/public?local=true&limit=2')).to.deep.equal(['dogs', 'both']);
    expect(await ids('/api/v1/timelines/public?remote=true')).to.deep.equal([]);
    expect(await ids(`/api/v1/timelines/public?max_id=${posted['dogs']}`)).to.deep.equal(['both', 'cats']);
    expect(await ids(`/api/v1/timelines/public?min_id=${posted['cats']}&limit=1`)).to.deep.equal(['both']);
  });

  it('find a hashtag however it is written, with any, all and none', async () => {
    const tag = '/api/v1/timelines/tag';
    expect(await ids(`${tag}/cats`)).to.deep.equal(['both', 'cats']);
    expect(await ids(`${tag}/CATS`)).to.deep.equal(['both', 'cats']);
    expect(await ids(`${tag}/cats?any[]=dogs`)).to.deep.equal(['dogs', 'both', 'cats']);
    expect(await ids(`${tag}/cats?all[]=Dogs`)).to.deep.equal(['both']);
    expect(await ids(`${tag}/cats?none[]=dogs`)).to.deep.equal(['cats']);
    expect(await ids(`${tag}/nothing`)).to.deep.equal([]);
  });

  it('list the posts of an account, by tag and without answers', async () => {
    const path = `/api/v1/accounts/${bob.id}/statuses`;
    expect(await ids(path)).to.deep.equal(['answer', 'unlisted', 'dogs']);
    expect(await ids(`${path}?exclude_replies=true`)).to.deep.equal(['unlisted', 'dogs']);
    expect(await ids(`${path}?tagged=CATS`)).to.deep.equal(['unlisted']);
    expect((await server.call('GET', '/api/v1/accounts/1/statuses')).status).to.equal(404);
  });

  it('need a token once the preview is off', async () => {
    await changeSettings(server.app.systemContext('tests'), { timeline_preview: false });
    const answer = await server.call('GET', '/api/v1/timelines/public');
    expect(answer.status).to.equal(401);
    expect(answer.body).to.deep.equal({ error: 'This method requires an authenticated user' });
    expect(await ids('/api/v1/timelines/public', alice.token)).to.have.length(3);
  });
});
