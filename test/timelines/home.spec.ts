import { expect } from 'chai';
import { recordActivity } from '../../commands/accounts/index.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

describe('The home timeline', () => {
  let server: TestServer;
  let reader: TestUser;
  let authors: TestUser[];

  before(async () => {
    server = await startTestServer();
    reader = await server.user('reader');
    authors = await Promise.all(['anna', 'ben', 'carl', 'dora'].map((name) => server.user(name)));
    await recordActivity(server.app.systemContext('tests'), reader.id);
  });
  after(() => server.close());

  const post = async (
    user: TestUser,
    status: string,
    more: Record<string, unknown> = {},
  ): Promise<string> => {
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: user.token,
      body: { status, ...more },
    });
    return body.id as string;
  };
  const follow = (who: TestUser, whom: TestUser, body: Record<string, unknown> = {}) =>
    server.call('POST', `/api/v1/accounts/${whom.id}/follow`, { token: who.token, body });
  const home = async (query = '?limit=40'): Promise<string[]> => {
    // What others post reaches a home timeline a moment later.
    await server.settle();
    const { body } = await server.call('GET', `/api/v1/timelines/home${query}`, { token: reader.token });
    return (body as { id: string }[]).map(({ id }) => id);
  };
  const [anna, ben, carl, dora] = [0, 1, 2, 3].map((n) => () => authors[n]!) as [
    () => TestUser,
    () => TestUser,
    () => TestUser,
    () => TestUser,
  ];

  it('holds what the followed post, before and after the follow, and nothing of others', async () => {
    const before = await post(anna(), 'before');
    await follow(reader, anna());
    const after = await post(anna(), 'after');
    const own = await post(reader, 'mine');
    await post(ben(), 'a stranger');
    await post(anna(), 'a secret', { visibility: 'direct' });
    expect(await home()).to.deep.equal([own, after, before]);
  });

  it('loses what somebody wrote when the reader unfollows', async () => {
    await follow(reader, ben());
    const id = await post(ben(), 'soon gone');
    expect(await home()).to.contain(id);
    await server.call('POST', `/api/v1/accounts/${ben().id}/unfollow`, { token: reader.token });
    expect(await home()).not.to.contain(id);
  });

  it('shows answers only where the reader knows both sides', async () => {
    const stranger = await post(dora(), 'a question');
    const answer = await post(anna(), 'an answer', { in_reply_to_id: stranger });
    expect(await home()).not.to.contain(answer);
    const thread = await post(anna(), 'more of mine', { in_reply_to_id: await post(anna(), 'mine') });
    expect(await home()).to.contain(thread);
  });

  it('shows only the languages that the reader chose for an author', async () => {
    await follow(reader, carl(), { languages: ['de'] });
    const german = await post(carl(), 'Guten Tag', { language: 'de' });
    const english = await post(carl(), 'Good day', { language: 'en' });
    const ids = await home();
    expect(ids).to.contain(german).and.not.to.contain(english);
  });

  it('is the same written on arrival and merged when read, whatever page is asked for', async () => {
    await server.settle();
    const ids = await home();
    const pages = [
      '?limit=3',
      `?limit=3&max_id=${ids[2]}`,
      `?limit=2&min_id=${ids[4]}`,
      `?since_id=${ids[1]}`,
    ];
    const written = await Promise.all(pages.map(home));
    // A reader that is not known has no written entries: everything is merged.
    const db = server.app.projectionDb;
    await db.query('update home_readers set account_id = -account_id where account_id = $1', [reader.id]);
    const merged = await Promise.all(pages.map(home));
    await db.query('update home_readers set account_id = -account_id where account_id = $1', [
      `-${reader.id}`,
    ]);
    expect(merged).to.deep.equal(written);
    expect(written[0]).to.deep.equal(ids.slice(0, 3));
    expect(written[1]).to.deep.equal(ids.slice(3, 6));
    expect(written[2]).to.deep.equal(ids.slice(2, 4));
    expect(written[3]).to.deep.equal(ids.slice(0, 1));
  });
});
