import { expect } from 'chai';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { instanceSettings, rulesOf } from '#queries/instance/index.ts';
import { addressOf, alertOf, doneOf, follow, headingOf, signedIn } from '../account-pages/support.ts';
import { Browser, locationOf } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { textsMailedTo } from '../support/mails.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture } from '../support/uploads.ts';
import { valueOf } from './filled-form.ts';

const STEPS = ['', '/rules', '/registrations', '/mail', '/backup'].map((step) => `/start/server${step}`);
const [NAME = '', RULES = '', REGISTRATIONS = '', MAIL = '', BACKUP = ''] = STEPS;

describe('The first steps of the owner of a server', function () {
  this.timeout(60_000);
  let server: TestServer;
  let boss: TestUser;
  let browser: Browser;

  before(async () => {
    server = await startTestServer();
    boss = await server.user('boss', { role: 'Owner', scopes: ['read', 'admin:read'] });
    await server.user('alice');
    browser = await signedIn(server, 'boss');
  });
  after(() => server.close());

  const settings = async (): Promise<Awaited<ReturnType<typeof instanceSettings>>> => {
    await server.waitUntilIdle();
    return instanceSettings(server.app.db);
  };
  const rules = async (): Promise<string[]> => {
    await server.waitUntilIdle();
    return (await rulesOf(server.app.db)).map(({ text, hint }) => `${text}|${hint}`);
  };
  /** Sends the form of the first step with its files. */
  const name = async (
    fields: Record<string, string>,
    files: Record<string, Uint8Array> = {},
  ): Promise<Answer> => {
    const page = await browser.open(NAME);
    const form = new FormData();
    form.set('csrf_token', valueOf(page, 'csrf_token', NAME) ?? '');
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    for (const [field, data] of Object.entries(files))
      form.set(field, new Blob([new Uint8Array(data)], { type: 'image/png' }), `${field}.png`);
    const cookie = browser.cookieHeader;
    return server.call('POST', NAME, { body: form, headers: { Cookie: cookie } });
  };

  it('begin after signing in on a new server, and lead on from one to the next', async () => {
    const own = new Browser(server);
    await own.open('/auth/sign_in');
    const first = await own.submit('/auth/sign_in', { login: 'boss', password: 'correct horse boss' });
    expect(locationOf(first)).to.equal(NAME);
    for (const [index, path] of STEPS.entries()) {
      const page = await browser.open(path);
      expect(page.status, path).to.equal(200);
      const onwards = load(page.body as string)
        .all('a', { class: 'button' })
        .map(({ attributes }) => attributes['href']);
      expect(onwards, path).to.include(STEPS[index + 1] ?? '/home');
    }
    expect((await browser.open('/settings')).body).to.contain(`href="${NAME}"`);
  });

  it('set name, description, contact, colour and pictures, which the audit log has with the actor', async () => {
    const answer = await name(
      {
        title: ' The  Rookery ',
        short_description: 'For <rooks>',
        contact_email: 'Staff@rookery.example',
        accent_color: '#7A3B8F',
      },
      { thumbnail: await picture(1_200, 630, 'png'), icon: await picture(512, 512, 'png') },
    );
    expect([answer.status, locationOf(answer)], alertOf(answer)).to.deep.equal([
      303,
      `${RULES}?done=setting`,
    ]);
    const found = await settings();
    expect(found).to.include({ title: 'The Rookery', short_description: 'For <rooks>' });
    expect(found).to.include({ contact_email: 'staff@rookery.example', accent_color: '#7a3b8f' });
    expect([found.thumbnail === null, found.icon.length > 0]).to.deep.equal([false, true]);
    const { body } = await server.call('GET', '/api/v1/admin/audit?limit=1', { token: boss.token });
    const [entry] = body as AuditEntry[];
    expect([entry?.action, entry?.actor.account?.acct]).to.deep.equal(['settings.updated', 'boss']);
    const again = new Browser(server);
    await again.open('/auth/sign_in');
    const later = await again.submit('/auth/sign_in', { login: 'boss', password: 'correct horse boss' });
    expect(locationOf(later)).to.equal('/home');
  });

  it('change nothing when one of the fields is wrong, and say which', async () => {
    const before = await settings();
    const answer = await name(
      { title: 'x'.repeat(101), contact_email: 'nobody', accent_color: 'red', short_description: 'Kept' },
      { thumbnail: Buffer.from('no picture') },
    );
    expect(answer.status).to.equal(422);
    const page = load(answer.body as string);
    for (const field of ['title', 'contact_email', 'accent_color', 'thumbnail']) {
      expect(page.one('p', { id: `${field}-problem` })?.text, field).to.be.a('string');
    }
    expect(valueOf(answer, 'short_description', NAME)).to.equal('Kept');
    expect(await settings()).to.deep.equal(before);
  });

  it('add, change and remove rules', async () => {
    await browser.open(RULES);
    const added = await browser.submit(RULES, { text: 'Be\n kind', hint: 'Always' }, 'value="add"');
    expect(doneOf(await follow(browser, added))).to.equal('The rule is added.');
    expect(await rules()).to.deep.equal(['Be kind|Always']);
    await browser.submit(RULES, { text: 'Be kinder', hint: '' }, 'value="edit"');
    expect(await rules()).to.deep.equal(['Be kinder|']);
    await browser.open(RULES);
    const empty = await browser.submit(RULES, { text: ' ', hint: 'x' }, 'value="add"');
    expect(empty.status).to.equal(422);
    expect(valueOf(empty, 'csrf_token', RULES)).to.be.a('string');
    await browser.open(RULES);
    for (const id of ['', 'x', '0', '99', '-1', '1e3', '9'.repeat(20)]) {
      await browser.open(RULES);
      expect((await browser.submit(RULES, { id }, 'value="remove"')).status, id).to.equal(404);
    }
    await browser.open(RULES);
    await browser.submit(RULES, {}, 'value="remove"');
    expect(await rules()).to.deep.equal([]);
  });

  it('say who may sign up', async () => {
    await browser.open(REGISTRATIONS);
    const answer = await browser.submit(REGISTRATIONS, {
      registrations: 'closed',
      registrations_message: 'Back in May <script>x</script>',
    });
    expect(locationOf(answer)).to.equal(`${MAIL}?done=setting`);
    expect(await settings()).to.include({ registrations: 'closed' });
    expect((await settings()).registrations_message)
      .to.contain('Back in May')
      .and.not.contain('script');
    const before = await settings();
    await browser.open(REGISTRATIONS);
    const wrong = await browser.submit(REGISTRATIONS, { registrations: 'sometimes' });
    expect(wrong.status).to.equal(422);
    expect(await settings()).to.deep.equal(before);
  });

  it('say that mails are written to files, and send one to the owner', async () => {
    const page = await browser.open(MAIL);
    expect(page.body).to.contain('mails are written to files');
    const address = await addressOf(server, boss.id);
    expect(page.body).to.contain(address);
    expect(doneOf(await follow(browser, await browser.submit(MAIL)))).to.equal(
      'The mail is on its way to your address.',
    );
    const mails = await textsMailedTo(address, server.app.config.dataDir);
    expect(mails.filter((mail) => mail.includes('Mail of rookery.example works'))).to.have.length(1);
  });

  it('remind of backups with the command', async () => {
    expect((await browser.open(BACKUP)).body).to.contain('npx rookery backup');
  });

  it('are for staff with the permission alone', async () => {
    const before = await server.app.log.head();
    const alice = await signedIn(server, 'alice');
    await server.user('mod', { role: 'Moderator' });
    const moderator = await signedIn(server, 'mod');
    for (const each of [alice, moderator]) {
      for (const path of STEPS) {
        const page = await each.open(path);
        expect([page.status, headingOf(page)], path).to.deep.equal([403, 'Not available']);
      }
      const settingsPage = await each.open('/settings');
      expect(settingsPage.body).not.to.contain(`href="${NAME}"`);
      const csrf_token = valueOf(settingsPage, 'csrf_token', '/auth/sign_out');
      for (const [path, fields] of [
        [NAME, { title: 'Mine' }],
        [RULES, { step: 'add', text: 'Obey' }],
        [REGISTRATIONS, { registrations: 'open' }],
        [MAIL, {}],
      ] as const) {
        expect((await each.post(path, { csrf_token, ...fields })).status, path).to.equal(403);
      }
    }
    const users = await server.app.log.readAll(before, 1_000);
    expect(users.map(({ type }) => type).filter((type) => /Instance|Rule/.test(type))).to.deep.equal([]);
    for (const path of STEPS) expect((await new Browser(server).open(path)).status).to.equal(303);
  });
});
