import { expect } from 'chai';
import { Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { startTestServer, type Answer, type TestServer, type TestUser } from '../support/server.ts';
import { sendForm, valueOf } from '../web/filled-form.ts';
import { alertOf, doneOf, follow, headingOf, signedIn } from './support.ts';

const PATH = '/share';

describe('The share page', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const textIn = ({ body }: Answer): string | undefined =>
    load(body as string)
      .one('textarea')
      ?.text.replace(/^\n/, '');
  const share = async (type: Record<string, string>): Promise<Answer> =>
    sendForm(server, browser, await browser.open(PATH), { type });
  const posts = async (): Promise<Record<string, unknown>[]> => {
    await server.waitUntilIdle();
    const path = `/api/v1/accounts/${alice.id}/statuses`;
    return (await server.call('GET', path, { token: alice.token })).body as Record<string, unknown>[];
  };

  it('shows the given title, text and address', async () => {
    const query = new URLSearchParams({
      title: 'Rooks & crows',
      text: 'A <b>story</b>',
      url: 'https://rooks.example/1',
    });
    const page = await browser.open(`${PATH}?${query.toString()}`);
    expect(page.status).equal(200);
    expect(headingOf(page)).equal('New post');
    expect(textIn(page)).equal('Rooks & crows A <b>story</b> https://rooks.example/1');
    expect(textIn(await browser.open(PATH))).equal('');
  });

  it('leads a visitor to sign-in and back', async () => {
    const visitor = new Browser(server);
    const path = `${PATH}?text=Hello%20there&url=https%3A%2F%2Frooks.example%2F1`;
    const answer = await visitor.open(path);
    expect(answer.status).equal(303);
    await visitor.open(locationOf(answer));
    const form = { login: 'alice', password: 'correct horse alice' };
    const back = await follow(visitor, await visitor.submit('/auth/sign_in', form));
    expect(textIn(back)).equal('Hello there https://rooks.example/1');
  });

  it('posts with the default visibility and language, without an application, and shows the post', async () => {
    await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token: alice.token,
      body: { source: { privacy: 'private', language: 'de' } },
    });
    const page = await browser.open(`${PATH}?text=Hallo`);
    expect(valueOf(page, 'visibility')).equal('private');
    const done = await follow(
      browser,
      await share({ status: 'Hallo\r\nWelt', spoiler_text: 'Grüße', visibility: 'private' }),
    );
    expect(doneOf(done)).equal('Your post is published.');
    expect(done.body).contain('Welt');
    const [post] = await posts();
    expect(post).include({ visibility: 'private', language: 'de', spoiler_text: 'Grüße', application: null });
    expect(post?.['content']).equal('<p>Hallo<br />Welt</p>');
  });

  it('keeps the text of a refused post and shows the reason that the API gives', async () => {
    const before = (await posts()).length;
    expect((await share({ status: ' ', visibility: 'public' })).status).equal(422);
    const status = 'rook '.repeat(101).trim();
    const long = await share({ status, spoiler_text: 'birds', visibility: 'unlisted' });
    expect([long.status, alertOf(long)?.includes('500')]).deep.equal([422, true]);
    expect(textIn(long)).equal(status);
    expect([valueOf(long, 'visibility'), valueOf(long, 'spoiler_text')]).deep.equal(['unlisted', 'birds']);
    expect((await share({ status: 'Hello', visibility: 'everybody' })).status).equal(422);
    expect((await posts()).length).equal(before);
    const shorter = await follow(browser, await share({ status: 'rook', visibility: 'unlisted' }));
    expect(doneOf(shorter)).equal('Your post is published.');
    expect((await posts())[0]).include({ content: '<p>rook</p>', visibility: 'unlisted' });
  });

  it('posts once when its form is sent twice', async () => {
    const before = (await posts()).length;
    const page = await browser.open(PATH);
    const send = (status: string): Promise<Answer> =>
      sendForm(server, browser, page, { type: { status, visibility: 'public' } });
    const answers = await Promise.all([send('Twice'), send('Twice')]);
    expect(new Set(answers.map(locationOf)).size).equal(1);
    expect((await posts()).length).equal(before + 1);
    expect((await send('Once more')).status).equal(303);
    expect((await posts()).length).equal(before + 2);
  });

  it('posts nothing for a form without the CSRF token', async () => {
    const before = (await posts()).length;
    const forged = await browser.post('/publish', {
      status: 'Forged',
      visibility: 'public',
      csrf_token: 'x',
    });
    expect(forged.status).equal(403);
    expect((await posts()).length).equal(before);
  });
});

describe('The share page with rate limits', function () {
  this.timeout(60_000);

  it('counts its posts together with posts by the API', async () => {
    const server = await startTestServer({ RATE_LIMITS: 'on', RATE_LIMIT_EXEMPT_LOOPBACK: 'off' });
    try {
      const alice = await server.user('alice');
      const browser = await signedIn(server, 'alice');
      const { headers } = await server.call('POST', '/api/v1/statuses', {
        token: alice.token,
        body: { status: 'one' },
      });
      const page = await browser.open(PATH);
      await follow(browser, await sendForm(server, browser, page, { type: { status: 'two' } }));
      const later = await server.call('POST', '/api/v1/statuses', {
        token: alice.token,
        body: { status: 'three' },
      });
      const left = (each: Headers): number => Number(each.get('x-ratelimit-remaining'));
      expect(left(headers) - left(later.headers)).equal(2);
    } finally {
      await server.close();
    }
  });
});
