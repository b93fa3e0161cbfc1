import { expect } from 'chai';
import { takeAction } from '#commands/accounts/index.ts';
import { judgeAppeal } from '#commands/strikes/index.ts';
import type { AccountAction } from '#events/moderation.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';
import type { AdminAppeal, MediaAttachment, Report, Status } from '#mastodon/schemas/index.ts';
import { alertOf, doneOf, follow, headingOf, isTokenGood, signedIn } from '../account-pages/support.ts';
import { authorizePath, Browser, locationOf, registerApp } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { BAD_TEXTS } from '../support/bad-input.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { withTwoFactor } from '../support/two-factor.ts';
import { picture, uploadForm } from '../support/uploads.ts';

const STRIKES = '/settings/strikes';
const ABSENT = '100000000000000000';

describe('The pages about strikes', function () {
  this.timeout(60_000);
  let server: TestServer;
  let admin: TestUser;
  let people = 0;
  before(async function () {
    this.timeout(120_000);
    server = await startTestServer();
    admin = await server.user('admin', {
      role: 'Admin',
      scopes: ['read', 'write', 'admin:read', 'admin:write'],
    });
  });
  after(() => server.close());

  const person = (): Promise<TestUser> => server.user(`person${(people += 1)}`);
  const ask = async <Json>(who: TestUser, method: string, path: string, body?: object): Promise<Json> => {
    const answer = await server.call(method, path, { token: who.token, ...(body ? { body } : {}) });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body as Json;
  };
  /** The operator gives the strike, so that any staff member may decide. @returns the path of the strike */
  const strike = async (who: TestUser, action: AccountAction, text = 'Be kind'): Promise<string> => {
    const operator = server.app.systemContext('spec');
    const id = operator.newId();
    await takeAction(
      operator,
      who.id,
      { id, action, text, reportId: null, statusIds: [], notify: true },
      undefined,
    );
    await server.waitUntilIdle();
    return `/disputes/strikes/${id}`;
  };
  const appeal = (browser: Browser, path: string, text: string): Promise<Answer> =>
    browser.submit(path, { text }, 'value="appeal"');
  const judge = async (verdict: 'approved' | 'rejected', note: string): Promise<void> => {
    await server.waitUntilIdle();
    const [first] = await ask<AdminAppeal[]>(admin, 'GET', '/api/v1/admin/appeals?limit=1');
    await judgeAppeal(server.app.systemContext('spec'), {
      appealId: first?.id ?? '',
      verdict,
      note,
      judge: undefined,
    });
    await server.waitUntilIdle();
  };
  const textOf = ({ body }: Answer): string =>
    (load(body as string).one('main')?.text ?? '').replace(/\s+/g, ' ');
  const csrfOf = ({ body }: Answer): string =>
    load(body as string).one('input', { name: 'csrf_token' })?.attributes['value'] ?? '';

  it('list strikes, newest first, with links', async () => {
    const who = await person();
    const browser = await signedIn(server, who.username);
    expect((await browser.open('/settings')).body).to.contain(`href="${STRIKES}"`);
    expect(textOf(await browser.open(STRIKES))).to.contain('You have no strikes.');
    const paths = [await strike(who, 'none'), await strike(who, 'silence')];
    const page = await browser.open(STRIKES);
    const links = load(page.body as string)
      .all('a')
      .map(({ attributes }) => attributes['href'] ?? '')
      .filter((href) => href.startsWith('/disputes/'));
    expect(links).to.deep.equal(paths.toReversed());
    expect(headingOf(await browser.open(paths[1]!))).to.equal('Your account was limited');
    const moved = await browser.open('/disputes/strikes');
    expect([moved.status, locationOf(moved)]).to.deep.equal([302, STRIKES]);
  });

  it('show the message and the posts in question, in the reported versions', async () => {
    const who = await person();
    const form = uploadForm(await picture(40, 30));
    const media = await ask<MediaAttachment>(who, 'POST', '/api/v2/media', form);
    const { id: post } = await ask<Status>(who, 'POST', '/api/v1/statuses', {
      status: 'Buy eggs',
      media_ids: [media.id],
    });
    const report = { account_id: who.id, status_ids: [post] };
    const { id: report_id } = await ask<Report>(admin, 'POST', '/api/v1/reports', report);
    await server.waitUntilIdle();
    const body = { type: 'silence', text: 'No <eggs>\nReally', report_id };
    await ask(admin, 'POST', `/api/v1/admin/accounts/${who.id}/action`, body);
    await ask(who, 'DELETE', `/api/v1/statuses/${post}?delete_media=true`);
    await server.waitUntilIdle();
    const browser = await signedIn(server, who.username);
    const list = load((await browser.open(STRIKES)).body as string);
    const path = list.all('a').find(({ attributes }) => attributes['href']?.startsWith('/disputes/'));
    const page = await browser.open(path?.attributes['href'] ?? '');
    expect(page.body).to.contain('No &#60;eggs&#62;').and.to.contain('Really').and.to.contain('Buy eggs');
    expect(page.body).not.to.contain('admin');
    expect(page.body).to.contain(media.preview_url);
  });

  it('accept an appeal, and its withdrawal', async () => {
    const who = await person();
    const path = await strike(who, 'silence');
    const browser = await signedIn(server, who.username);
    await browser.open(path);
    const done = await follow(browser, await appeal(browser, path, 'Line one\r\nLine two'));
    expect(doneOf(done)).to.contain('Your appeal is with the moderators.');
    expect(done.body).to.contain('>Line one</p>').and.to.contain('>Line two</p>');
    expect(textOf(done)).to.contain('have not decided yet');
    expect(done.body).not.to.contain('value="appeal"');
    expect(textOf(await browser.open(STRIKES))).to.contain('have not decided yet');
    await browser.open(path);
    const taken = await follow(browser, await browser.submit(path, {}, 'value="withdraw"'));
    expect(doneOf(taken)).to.equal('Your appeal is withdrawn.');
    expect(taken.body).not.to.contain('value="appeal"').and.not.to.contain('value="withdraw"');
  });

  it('show the decision and its note', async () => {
    for (const [verdict, words] of [
      ['approved', 'Your appeal was approved.'],
      ['rejected', 'Your appeal was rejected.'],
    ] as const) {
      const who = await person();
      const path = await strike(who, 'silence');
      const browser = await signedIn(server, who.username);
      await browser.open(path);
      await follow(browser, await appeal(browser, path, 'Not me'));
      await judge(verdict, 'We looked again.');
      expect(textOf(await browser.open(path)))
        .to.contain(words)
        .and.to.contain('We looked again.');
    }
  });

  it('show the problems of the form above it, and keep its text', async () => {
    const who = await person();
    const path = await strike(who, 'silence');
    const browser = await signedIn(server, who.username);
    const page = await browser.open(path);
    const csrf_token = csrfOf(page);
    const before = await server.app.log.head();
    const empty = await appeal(browser, path, '  ');
    expect([empty.status, alertOf(empty)]).to.deep.equal([422, "The text can't be blank."]);
    const long = await appeal(browser, path, 'x'.repeat(2_001));
    expect([long.status, alertOf(long)]).to.deep.equal([
      422,
      'The text is too long (maximum is 2000 characters).',
    ]);
    expect(long.body).to.contain('x'.repeat(2_001));
    for (const text of BAD_TEXTS.filter((each) => each.length > 2_000 || each.trim() === '')) {
      const { status } = await browser.post(path, { csrf_token, step: 'appeal', text });
      expect(status, text.slice(0, 60)).to.be.within(400, 499);
    }
    const strange = await browser.post(path, { csrf_token, step: 'nonsense' });
    expect([strange.status, alertOf(strange)]).to.deep.equal([422, 'The form is incomplete.']);
    expect((await browser.post(path, { step: 'appeal', text: 'Hm' })).status).to.equal(403);
    expect((await browser.post(path, { csrf_token, step: 'withdraw' })).status).to.equal(404);
    expect(await server.app.log.head()).to.equal(before);
  });

  it('are for their account, whose user signs in and returns', async () => {
    const who = await person();
    const path = await strike(who, 'silence');
    const other = await signedIn(server, (await person()).username);
    const staff = await signedIn(server, admin.username);
    const csrf_token = csrfOf(await other.open(STRIKES));
    const before = await server.app.log.head();
    for (const strange of [path, `/disputes/strikes/${ABSENT}`, '/disputes/strikes/x']) {
      expect((await other.open(strange)).status).to.equal(404);
      expect((await staff.open(strange)).status).to.equal(404);
      expect((await other.post(strange, { csrf_token, step: 'appeal', text: 'Hm' })).status).to.equal(404);
    }
    expect(await server.app.log.head()).to.equal(before);
    const nobody = new Browser(server);
    const asked = await nobody.open(path);
    expect(locationOf(asked)).to.equal(`/auth/sign_in?return_to=${encodeURIComponent(path)}`);
    await nobody.open(locationOf(asked));
    const form = { login: who.username, password: `correct horse ${who.username}` };
    expect(locationOf(await nobody.submit('/auth/sign_in', form))).to.equal(path);
  });

  for (const [action, word] of [
    ['suspend', 'suspended'],
    ['disable', 'disabled'],
  ] as const) {
    describe(`for a ${word} user`, () => {
      it('are the destination after signing in, and accept an appeal', async () => {
        const who = await person();
        const path = await strike(who, action);
        const browser = new Browser(server);
        await browser.open('/auth/sign_in');
        const form = { login: who.username, password: `correct horse ${who.username}` };
        const answer = await browser.submit('/auth/sign_in', form);
        expect([answer.status, locationOf(answer)]).to.deep.equal([303, STRIKES]);
        const list = await browser.open(STRIKES);
        expect(list.status).to.equal(200);
        expect(list.body).to.contain(`href="${path}"`).and.not.to.contain('href="/settings"');
        expect(locationOf(await browser.open('/auth/sign_in'))).to.equal(STRIKES);
        expect(textOf(await browser.open(path))).to.contain('Everything else is closed to you');
        const done = await follow(browser, await appeal(browser, path, 'Not me'));
        expect(doneOf(done)).to.contain('Your appeal is with the moderators.');
        expect((await browser.open('/settings')).status).to.equal(403);
        await judge('approved', 'Sorry');
        expect(textOf(await browser.open(path))).to.contain('Your appeal was approved.');
        expect((await browser.open('/settings')).status).to.equal(200);
        await browser.open(STRIKES);
        await follow(browser, await browser.submit('/auth/sign_out'));
        expect(locationOf(await browser.open(STRIKES))).to.contain('/auth/sign_in');
      });

      it('require the second step like others', async () => {
        const who = await person();
        const { code } = await withTwoFactor(server.app, who.id);
        await strike(who, action);
        const browser = new Browser(server);
        await browser.open('/auth/sign_in');
        const form = { login: who.username, password: `correct horse ${who.username}` };
        const first = await browser.submit('/auth/sign_in', form);
        expect(locationOf(first)).to.equal('/auth/second_step');
        expect((await browser.open(STRIKES)).status).to.equal(303);
        await browser.open('/auth/second_step');
        expect((await browser.submit('/auth/second_step', { code: '000000' })).status).to.equal(422);
        const second = await browser.submit('/auth/second_step', { code });
        expect([second.status, locationOf(second)]).to.deep.equal([303, STRIKES]);
        expect((await browser.open(STRIKES)).status).to.equal(200);
      });

      it('are the only pages for such a user', async () => {
        const who = await person();
        const path = await strike(who, action);
        const browser = await signedIn(server, who.username);
        const page = await browser.open(path);
        const csrf_token = csrfOf(page);
        const before = await server.app.log.head();
        const open: string[] = [];
        for (const each of accountPages) {
          if (each.audience !== 'users' || each.orPublic) continue;
          const way = each.path.replace(':id', ABSENT).replace(/:\w+/, 'x');
          const shown = await browser.open(way);
          if (shown.status !== 403) open.push(each.path);
          else expect(shown.body, way).to.contain('See why, and appeal');
          if (!each.submit || each.files) continue;
          const current_password = `correct horse ${who.username}`;
          const sent = await browser.post(way, { csrf_token, current_password, step: 'browsers' });
          if (sent.status !== 403) expect(open, way).to.include(each.path);
        }
        const exports = ['/settings/export', '/settings/export/:file', '/settings/export/archive'];
        expect(open).to.have.members([STRIKES, '/disputes/strikes/:id', ...exports]);
        const upload = new FormData();
        upload.set('csrf_token', csrf_token);
        const cookie = browser.cookieHeader;
        const sent = await server.call('POST', '/settings/import', {
          body: upload,
          headers: { Cookie: cookie },
        });
        expect(sent.status).to.equal(403);
        expect(await server.app.log.head()).to.equal(before);
      });

      it('give such a user no access by an app or the API', async () => {
        const who = await person();
        await strike(who, action);
        expect(await isTokenGood(server, who.token)).to.equal(false);
        const app = await registerApp(server);
        const stranger = new Browser(server);
        const login = { login: who.username, password: `correct horse ${who.username}` };
        await stranger.open(authorizePath(app));
        const refused = await stranger.send('sign_in', login);
        expect(refused.status).to.equal(403);
        expect(refused.body).to.contain(`href="${STRIKES}"`);
        expect((await stranger.open(STRIKES)).status).to.equal(303);
        const browser = await signedIn(server, who.username);
        const consent = await browser.open(authorizePath(app));
        expect(consent.status).to.equal(403);
        expect(consent.body).to.contain(`href="${STRIKES}"`).and.not.to.contain('value="approve"');
        const csrf_token = csrfOf(await browser.open(STRIKES));
        const query = Object.fromEntries(new URL(authorizePath(app), server.url).searchParams);
        const fields = { ...query, csrf_token, step: 'consent', decision: 'approve' };
        const forced = await browser.post('/oauth/authorize', fields);
        expect([forced.status, locationOf(forced)]).to.deep.equal([403, '']);
        const cookie = browser.cookieHeader;
        for (const method of ['GET', 'POST']) {
          const way = method === 'GET' ? '/api/v1/strikes' : `/api/v1/strikes/${ABSENT}/appeal`;
          expect((await server.call(method, way, { headers: { Cookie: cookie } })).status).to.equal(401);
          expect((await server.call(method, way, { token: who.token })).status).to.be.within(401, 403);
        }
      });
    });
  }
});
