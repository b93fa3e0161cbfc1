import { expect } from 'chai';
import { doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { sendForm, valueOf } from './filled-form.ts';

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

  const posts = async (): Promise<Record<string, unknown>[]> => {
    await server.waitUntilIdle();
    const path = `/api/v1/accounts/${alice.id}/statuses`;
    return (await server.call('GET', path, { token: alice.token })).body as Record<string, unknown>[];
  };

  it('shows the given title, text and address in the composer', async () => {
    const query = new URLSearchParams({
      title: 'Rooks & crows',
      text: 'A <b>story</b>',
      url: 'https://rooks.example/1',
    });
    const page = await browser.open(`${PATH}?${query.toString()}`);
    expect(page.status).equal(200);
    expect(headingOf(page)).equal('New post');
    expect(valueOf(page, 'status')).equal('Rooks & crows A <b>story</b> https://rooks.example/1');
    expect(valueOf(await browser.open(PATH), 'status')).equal('');
  });

  it('takes nothing but these from its address', async () => {
    const page = await browser.open(`${PATH}?text=x&visibility=direct&return_to=%2Fsettings&mention=bob`);
    expect(valueOf(page, 'status')).equal('x');
    expect(valueOf(page, 'visibility')).equal('public');
    expect(valueOf(page, 'return_to')).equal('');
  });

  it('leads a visitor to sign-in and back', async () => {
    const visitor = new Browser(server);
    const path = `${PATH}?text=Hello%20there&url=https%3A%2F%2Frooks.example%2F1`;
    const answer = await visitor.open(path);
    expect(answer.status).equal(303);
    await visitor.open(locationOf(answer));
    const form = { login: 'alice', password: 'correct horse alice' };
    const back = await follow(visitor, await visitor.submit('/auth/sign_in', form));
    expect(valueOf(back, 'status')).equal('Hello there https://rooks.example/1');
  });

  it('posts with the default visibility and language, without an application', async () => {
    await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token: alice.token,
      body: { source: { privacy: 'private', language: 'de' } },
    });
    const page = await browser.open(`${PATH}?text=Hallo`);
    expect(valueOf(page, 'visibility')).equal('private');
    const type = { status: 'Hallo\r\nWelt', spoiler_text: 'Grüße' };
    const answer = await sendForm(server, browser, page, { type });
    const [post] = await posts();
    expect(locationOf(answer)).equal(`/@alice/${String(post?.['id'])}?done=posted`);
    expect(post).include({ visibility: 'private', language: 'de', spoiler_text: 'Grüße', application: null });
    expect(post?.['content']).equal('<p>Hallo<br />Welt</p>');
  });

  it('posts nothing for a form without the CSRF token, and shows it again', async () => {
    const before = (await posts()).length;
    const page = await browser.open(PATH);
    const type = { status: 'Forged', csrf_token: 'x' };
    const forged = await sendForm(server, browser, page, { type });
    expect(forged.status).equal(403);
    expect(valueOf(forged, 'status')).equal('Forged');
    expect((await posts()).length).equal(before);
  });
});

describe('The composer with rate limits', function () {
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
      const answer = await sendForm(server, browser, page, { type: { status: 'two', return_to: '/home' } });
      expect(doneOf(await follow(browser, answer))).equal('Your post is published.');
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
