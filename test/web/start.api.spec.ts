import { expect } from 'chai';
import type { Account, Status } from '#mastodon/schemas/index.ts';
import { rank } from '#reactors/rankings.ts';
import { alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture } from '../support/uploads.ts';
import { valueOf } from './filled-form.ts';
import { sendProfileForm } from './profile-form.ts';

describe('The first steps of a new user', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let others: TestUser[];
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    others = await Promise.all(['ben', 'cleo', 'dan'].map((name) => server.user(name)));
    for (const { token } of others) {
      const body = { discoverable: true };
      await server.call('PATCH', '/api/v1/accounts/update_credentials', { token, body });
      for (const { id } of others)
        await server.call('POST', `/api/v1/accounts/${id}/follow`, { token, body: {} });
    }
    await server.waitUntilIdle();
    await rank(server.app.systemContext('spec'), 'accounts');
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const api = async <Json>(path: string, { token } = alice): Promise<Json> => {
    await server.waitUntilIdle();
    return (await server.call('GET', `/api/v1/${path}`, { token })).body as Json;
  };
  const followed = async (): Promise<string[]> =>
    (await api<Account[]>(`accounts/${alice.id}/following`)).map(({ username }) => username).sort();
  const steps = ({ body }: Answer): (string | undefined)[] =>
    load(body as string)
      .all('a')
      .filter(({ inside }) => inside.includes('nav.steps'))
      .map(({ attributes }) => attributes['aria-current']);

  it('lead from the profile to people to a post, and each can be skipped', async () => {
    for (const [path, place, next] of [
      ['/start', 0, '/start/people'],
      ['/start/people', 1, '/start/post'],
      ['/start/post', 2, '/home'],
    ] as const) {
      const page = await browser.open(path);
      expect(page.status, path).to.equal(200);
      expect(steps(page).map((each) => each === 'step')).to.deep.equal([0, 1, 2].map((n) => n === place));
      const skip = load(page.body as string)
        .all('a', { class: 'button' })
        .find(({ text }) => text === 'Skip');
      expect(skip?.attributes['href'], path).to.equal(next);
    }
  });

  it('take the name and the picture', async () => {
    const avatar = { data: await picture(40, 40, 'png'), name: 'a.png', type: 'image/png' };
    const answer = await sendProfileForm(server, browser, await browser.open('/start'), {
      action: '/start',
      type: { display_name: 'Alice', note: 'New here\r\nand curious', avatar_description: 'A rook' },
      files: { avatar },
    });
    expect([answer.status, locationOf(answer)]).to.deep.equal([303, '/start/people']);
    const account = await api<Account & { source: { note: string } }>('accounts/verify_credentials');
    expect(account).to.include({ display_name: 'Alice', avatar_description: 'A rook' });
    expect(account.source.note).to.equal('New here\nand curious');
    expect(account.avatar).to.contain('/media/');
    expect(valueOf(await browser.open('/start'), 'display_name', '/start')).to.equal('Alice');
  });

  it('say what is wrong beside the field, and keep what was typed', async () => {
    const before = await server.app.log.head();
    const text = { data: Buffer.from('no picture'), name: 'a.png', type: 'image/png' };
    const answer = await sendProfileForm(server, browser, await browser.open('/start'), {
      action: '/start',
      type: { display_name: 'x'.repeat(41), note: 'Kept' },
      files: { avatar: text },
    });
    expect([answer.status, headingOf(answer)]).to.deep.equal([422, 'Say who you are']);
    expect(load(answer.body as string).one('p', { id: 'display_name-problem' })).not.to.equal(undefined);
    expect(valueOf(answer, 'note', '/start')).to.equal('Kept');
    await server.waitUntilIdle();
    expect(await server.app.log.head()).to.equal(before);
  });

  it('suggest people, and follow several by one press', async () => {
    const page = await browser.open('/start/people');
    const suggested = load(page.body as string)
      .all('input', { name: 'follow[]' })
      .map(({ attributes }) => attributes['value']);
    expect([...suggested].sort()).to.deep.equal(others.map(({ id }) => id).sort());
    const [ben, cleo] = others as [TestUser, TestUser];
    const csrf_token = valueOf(page, 'csrf_token', '/start/people') ?? '';
    const form = new URLSearchParams([
      ['csrf_token', csrf_token],
      ['follow[]', ben.id],
      ['follow[]', cleo.id],
      ['tags[]', 'rooks'],
    ]);
    const cookie = browser.cookieHeader;
    const send = (body: URLSearchParams): Promise<Answer> =>
      server.call('POST', '/start/people', { body, headers: { Cookie: cookie } });
    const answer = await send(form);
    expect([answer.status, locationOf(answer)]).to.deep.equal([303, '/start/post?done=followed_some']);
    expect(await followed()).to.deep.equal(['ben', 'cleo']);
    expect((await api<{ name: string }[]>('followed_tags')).map(({ name }) => name)).to.deep.equal(['rooks']);
    expect((await send(form)).status).to.equal(303);
    expect(await followed()).to.deep.equal(['ben', 'cleo']);
    const none = await send(new URLSearchParams({ csrf_token }));
    expect(locationOf(none)).to.equal('/start/post');
  });

  it('follow those that are still there, and ignore what no page sends', async () => {
    const page = await browser.open('/start/people');
    const gone = ['1', '0', '-1', 'x', '9'.repeat(30), alice.id, ''];
    const csrf_token = valueOf(page, 'csrf_token', '/start/people') ?? '';
    const cookie = browser.cookieHeader;
    const body = new URLSearchParams([
      ['csrf_token', csrf_token],
      ...gone.map((id): [string, string] => ['follow[]', id]),
      ['follow[]', others[2]?.id ?? ''],
      ['tags[]', 'x'.repeat(500)],
    ]);
    const answer = await server.call('POST', '/start/people', { body, headers: { Cookie: cookie } });
    expect(answer.status, alertOf(answer)).to.equal(303);
    expect(await followed()).to.deep.equal(['ben', 'cleo', 'dan']);
  });

  it('publish the first post once, however often its form is sent', async () => {
    const page = await browser.open('/start/post');
    expect(valueOf(page, 'status', '/start/post')).to.equal('#introduction ');
    const fields = {
      csrf_token: valueOf(page, 'csrf_token', '/start/post'),
      key: valueOf(page, 'key', '/start/post'),
      visibility: 'unlisted',
    };
    const post = (status: string): Promise<Answer> => browser.post('/start/post', { ...fields, status });
    const answers = [await post('Hello\r\nthere'), await post('Hello\r\nthere')];
    expect(answers.map(locationOf)).to.deep.equal(['/home?done=posted', '/home?done=posted']);
    const posts = await api<Status[]>(`accounts/${alice.id}/statuses`);
    expect(posts.map(({ content, visibility }) => [content, visibility])).to.deep.equal([
      ['<p>Hello<br />there</p>', 'unlisted'],
    ]);
    // The same page in the history of the browser, with another text.
    await post('Something else');
    expect(await api<Status[]>(`accounts/${alice.id}/statuses`)).to.have.length(2);
    expect(doneOf(await follow(browser, answers[0] as Answer))).to.equal('Your post is published.');
  });

  it('keep the text of a post that was refused, and of one whose session is another', async () => {
    const page = await browser.open('/start/post');
    const fields = { csrf_token: valueOf(page, 'csrf_token', '/start/post'), key: 'x', visibility: 'public' };
    for (const status of ['', 'rook '.repeat(101)]) {
      const refused = await browser.post('/start/post', { ...fields, status });
      expect(refused.status).to.equal(422);
      expect(valueOf(refused, 'status', '/start/post')).to.equal(status);
    }
    const forged = await browser.post('/start/post', { ...fields, status: 'Typed', csrf_token: 'x' });
    expect([forged.status, valueOf(forged, 'status', '/start/post')]).to.deep.equal([403, 'Typed']);
    expect(await api<Status[]>(`accounts/${alice.id}/statuses`)).to.have.length(2);
  });

  it('are for signed-in users', async () => {
    for (const path of ['/start', '/start/people', '/start/post']) {
      const answer = await new Browser(server).open(path);
      expect([answer.status, locationOf(answer)]).to.deep.equal([
        303,
        `/auth/sign_in?return_to=${encodeURIComponent(path)}`,
      ]);
    }
  });
});
