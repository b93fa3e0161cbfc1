import { expect } from 'chai';
import { addRule, changeSettings } from '#commands/instance/index.ts';
import { rank } from '#reactors/rankings.ts';
import { signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { load } from './parse.ts';
import { BROWSER } from './support.ts';

/** A signed-in browser that asks for pages, as browsers of people do. */
async function readerSignedIn(server: TestServer, login: string): Promise<Browser> {
  const browser = new Browser(server, { Accept: BROWSER });
  await browser.open('/auth/sign_in');
  await browser.submit('/auth/sign_in', { login, password: `correct horse ${login}` });
  return browser;
}

describe('The front page', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
  });
  after(() => server.close());

  const settings = (changes: Parameters<typeof changeSettings>[1]): Promise<unknown> =>
    changeSettings(server.app.systemContext('spec'), changes);
  const front = (browser = new Browser(server, { Accept: BROWSER })): Promise<Answer> => browser.open('/');
  const pageOf = ({ body }: Answer): ReturnType<typeof load> => load(body as string);
  const buttons = (answer: Answer): string[] =>
    pageOf(answer)
      .all('a', { class: 'button' })
      .filter(({ inside }) => inside.some((each) => each.includes('hero-text')))
      .map(({ text, attributes }) => `${text.trim()} ${attributes['href']}`);
  const post = async (status: string, more: object = {}): Promise<void> => {
    const sent = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status, ...more },
    });
    expect(sent.status).to.equal(200);
    await server.waitUntilIdle();
  };

  for (const [registrations, first] of [
    ['open', 'Sign up /auth/sign_up'],
    ['approved', 'Ask for an account /auth/sign_up'],
    ['closed', undefined],
  ] as const) {
    it(`offers the way in while registrations are ${registrations}`, async () => {
      await settings({ registrations });
      const found = buttons(await front());
      expect(found).to.deep.equal([...(first ? [first] : []), 'Sign in /auth/sign_in']);
    });
  }

  it('says that sign-ups are closed, in the words of staff where they have some', async () => {
    await settings({ registrations: 'closed', registrations_message: '' });
    expect((await front()).body).to.contain('Sign-ups are closed at the moment.');
    await settings({ registrations_message: '<p>Back in <em>May</em>.</p>' });
    expect((await front()).body).to.contain('<em>May</em>');
    await settings({ registrations: 'open', registrations_message: '' });
  });

  it('shows the newest public posts of this server and nothing else', async () => {
    expect(pageOf(await front()).one('main')?.text).to.contain('Nobody here has posted in public yet.');
    await post('seen by all <b>');
    await post('quiet', { visibility: 'unlisted' });
    await post('for followers', { visibility: 'private' });
    await post('newest');
    const found = pageOf(await front()).posts();
    expect(found).to.have.length(2);
    expect(found[0]).to.contain('newest');
    expect(found[1]).to.contain('seen by all <b>');
    for (let each = 0; each < 10; each += 1) await post(`more ${each}`);
    expect(pageOf(await front()).posts()).to.have.length(10);
  });

  it('shows no posts while the API shows them to members only', async () => {
    await settings({ timeline_preview: false });
    const { status, body } = await front();
    expect(status).to.equal(200);
    expect(load(body as string).posts()).to.deep.equal([]);
    expect(body).not.to.contain('Newest posts').and.not.to.contain('seen by all');
    await settings({ timeline_preview: true });
  });

  it('names trending hashtags once there are some', async () => {
    expect((await front()).body).not.to.contain('Trending hashtags');
    await settings({ trendable_by_default: true });
    const users = await Promise.all(Array.from({ length: 6 }, (_, n) => server.user(`tagger${n}`)));
    for (const { token } of users) {
      await server.call('POST', '/api/v1/statuses', { token, body: { status: 'about #Rooks' } });
    }
    await server.waitUntilIdle();
    await rank(server.app.systemContext('spec'), 'tags');
    const [line] = pageOf(await front())
      .all('li')
      .filter(({ inside }) => inside.includes('ul.trends'));
    expect(line?.text.replaceAll(/\s+/g, ' ').trim()).to.equal('#Rooks 6 people');
  });

  it('has the rules and the apps in boxes that open on a click, and the contact', async () => {
    expect(pageOf(await front()).all('details', { class: 'fold' })).to.have.length(1);
    await addRule(server.app.systemContext('spec'), { text: 'Be <kind>', hint: 'Always' });
    await settings({ contact_account_id: alice.id, contact_email: 'staff@rookery.example' });
    const page = pageOf(await front());
    const folds = page.all('details', { class: 'fold' });
    expect(folds.map(({ attributes }) => 'open' in attributes)).to.deep.equal([false, false]);
    expect(folds[0]?.text).to.contain('Be <kind>').and.to.contain('Always');
    expect(folds[1]?.text).to.contain('Phanpy').and.to.contain('Tusky');
    const hrefs = page.all('a').map(({ attributes }) => attributes['href']);
    expect(hrefs).to.include.members(['mailto:staff@rookery.example', 'https://rookery.example/@alice']);
    await settings({ apps: [] });
    expect(pageOf(await front()).all('details', { class: 'fold' })).to.have.length(1);
    await settings({ apps: null });
  });

  it('is cached for strangers alone, and leads signed-in users to their home', async () => {
    const { headers } = await front();
    expect([headers.get('cache-control'), headers.get('vary')]).to.deep.equal([
      'public, max-age=15',
      'Accept, Cookie, Accept-Encoding',
    ]);
    const browser = await signedIn(server, 'alice');
    const answer = await front(browser);
    expect([answer.status, locationOf(answer)]).to.deep.equal([303, '/home']);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    const ended = new Browser(server, { Accept: BROWSER });
    ended.cookies.set('__Host-rookery_session', 'x'.repeat(43));
    expect((await front(ended)).status).to.equal(200);
  });

  it('has the other pages about the server in the frame of the visitor', async () => {
    const browser = await signedIn(server, 'alice');
    for (const path of ['/about', '/privacy-policy']) {
      const [own, others] = [await browser.open(path), await new Browser(server).open(path)];
      expect([own.status, others.status], path).to.deep.equal([200, 200]);
      expect(pageOf(own).one('nav', { 'aria-label': 'Main' }), path).not.to.equal(undefined);
      expect(pageOf(others).one('nav', { 'aria-label': 'Main' }), path).to.equal(undefined);
      expect(pageOf(own).one('h1')?.text).to.equal(pageOf(others).one('h1')?.text);
    }
    expect((await browser.open('/terms-of-service')).status).to.equal(404);
  });
});

describe('A failure', function () {
  this.timeout(60_000);
  let server: TestServer;

  before(async () => {
    server = await startTestServer();
    await server.user('alice');
    await changeSettings(server.app.systemContext('spec'), { title: 'Rooks', timeline_preview: false });
  });
  after(() => server.close());

  const links = ({ body }: Answer): string[] =>
    load(body as string)
      .all('a')
      .filter(({ inside }) => inside.includes('main'))
      .map(({ text, attributes }) => `${text.trim()} ${attributes['href']}`);

  it('offers strangers to sign in where only members may look, and leads back', async () => {
    const answer = await new Browser(server, { Accept: BROWSER }).open('/tags/rooks?max_id=5');
    expect(answer.status).to.equal(401);
    const back = encodeURIComponent('/tags/rooks?max_id=5');
    expect(links(answer)).to.deep.equal([`Sign in /auth/sign_in?return_to=${back}`, 'Front page /']);
    expect(load(answer.body as string).one('title')?.text).to.equal('For members only - Rooks');
  });

  it('keeps the navigation of signed-in users on their pages, on public ones and at unknown addresses', async () => {
    const browser = await readerSignedIn(server, 'alice');
    for (const path of ['/settings/export/nothing.csv', '/@nobody', '/terms-of-service', '/nothing/here']) {
      const answer = await browser.open(path);
      expect(answer.status, path).to.equal(404);
      expect(load(answer.body as string).one('nav', { 'aria-label': 'Main' }), path).not.to.equal(undefined);
      expect(links(answer), path).to.deep.equal(['Home /home']);
    }
    const stranger = await new Browser(server, { Accept: BROWSER }).open('/nothing/here');
    expect(load(stranger.body as string).one('nav', { 'aria-label': 'Main' })).to.equal(undefined);
    expect(links(stranger)).to.deep.equal(['Front page /']);
  });
});
