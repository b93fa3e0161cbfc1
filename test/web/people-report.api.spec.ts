import { expect } from 'chai';
import { addRule } from '#commands/instance/index.ts';
import { alertOf, headingOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { remoteAccount } from '../support/remote.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { buttonsOf, pageOf } from './people-support.ts';

interface Filed {
  id: string;
  category: string;
  comment: string;
  forwarded: boolean;
  rules: { id: string }[];
  statuses: { id: string }[];
  target_account: { username: string };
}

describe('Reporting an account in the web client', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let staff: TestUser;
  let browser: Browser;

  before(async function () {
    this.timeout(120_000);
    server = await startTestServer();
    [alice, bob] = await Promise.all([server.user('alice'), server.user('bob')]);
    staff = await server.user('warden', { role: 'Moderator', scopes: ['admin:read', 'admin:write'] });
    await remoteAccount(server.app, 'far', 'far.example');
    browser = await signedIn(server, 'alice');
  });
  after(() => server.close());

  const posted = async (who: TestUser, status: string, more: object = {}): Promise<string> => {
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: who.token,
      body: { status, ...more },
    });
    await server.waitUntilIdle();
    return (body as { id: string }).id;
  };
  /** Returns the reports, newest first. */
  const filed = async (): Promise<Filed[]> =>
    (await server.call('GET', '/api/v1/admin/reports', { token: staff.token })).body as Filed[];
  const ticked = (body: unknown): string[] =>
    pageOf({ body } as never)
      .all('input')
      .filter(({ attributes }) => 'checked' in attributes)
      .map(({ attributes }) => attributes['id'] ?? '');

  it('offers no rules on a server without any', async () => {
    const form = await browser.open('/@bob/report');
    expect(headingOf(form)).to.equal('Report @bob');
    expect(
      pageOf(form)
        .all('input', { type: 'radio' })
        .map(({ attributes }) => attributes['value']),
    ).to.deep.equal(['spam', 'legal', 'other']);
    const forged = await browser.submit('/@bob/report', { category: 'violation', 'rule_ids[]': '7' });
    expect(forged.status).to.equal(422);
    expect(await filed()).to.deep.equal([]);
  });

  it('files a report with posts, rules and a comment, and offers to mute and block', async () => {
    await addRule(server.app.systemContext('spec'), { text: 'Be <kind>', hint: '' });
    const id = await posted(bob, 'a rude post');
    await posted(bob, 'another post');
    const form = await browser.open(`/@bob/report?status_id=${id}`);
    expect(ticked(form.body)).to.deep.equal([`p-${id}`]);
    expect(form.body).to.contain('a rude post').and.contain('another post').and.not.contain('Forward to');
    const rule = pageOf(form).one('input', { name: 'rule_ids[]' })?.attributes['value'] ?? '';
    const fields = { category: 'violation', 'rule_ids[]': rule, 'status_ids[]': id, comment: 'look\r\nhere' };
    const done = await browser.submit('/@bob/report', fields);
    expect(locationOf(done)).to.equal('/@bob/reported');
    const [report] = await filed();
    expect(report).to.include({ category: 'violation', comment: 'look\nhere', forwarded: false });
    expect(report?.statuses.map((status) => status.id)).to.deep.equal([id]);
    expect(report?.rules.map((cited) => cited.id)).to.deep.equal([rule]);
    const thanks = await browser.open('/@bob/reported');
    expect(buttonsOf(thanks)).to.include.members(['Mute', 'Block', 'Done']);
  });

  it('files a form that is sent twice once', async () => {
    const before = (await filed()).length;
    const page = pageOf(await browser.open('/@bob/report'));
    const fields = Object.fromEntries(
      ['csrf_token', 'key'].map((name) => [name, page.one('input', { name })?.attributes['value'] ?? '']),
    );
    const sent = { ...fields, category: 'spam', comment: 'twice' };
    const answers = [await browser.post('/@bob/report', sent), await browser.post('/@bob/report', sent)];
    expect(answers.map(({ status }) => status)).to.deep.equal([303, 303]);
    expect((await filed()).length).to.equal(before + 1);
  });

  it('forwards to the server of a remote account only on request', async () => {
    const path = '/@far@far.example/report';
    expect((await browser.open(path)).body)
      .to.contain('Forward to')
      .and.contain('far.example');
    await browser.submit(path, { category: 'other' });
    await browser.open(path);
    await browser.submit(path, { category: 'other', forward: 'true' });
    expect((await filed()).slice(0, 2).map(({ forwarded }) => forwarded)).to.deep.equal([true, false]);
  });

  it('shows a refused report again with everything that was filled in', async () => {
    const before = (await filed()).length;
    const id = await posted(bob, 'evidence');
    await browser.open('/@bob/report');
    const none = await browser.submit('/@bob/report', { comment: 'no category', 'status_ids[]': id });
    expect([none.status, alertOf(none)]).to.deep.equal([422, 'Choose what is wrong with this account.']);
    expect(none.body).to.contain('no category');
    expect(ticked(none.body)).to.deep.equal([`p-${id}`]);
    const rules = await browser.submit('/@bob/report', { category: 'violation' });
    expect([rules.status, alertOf(rules)]).to.deep.equal([422, 'Tick the rules that this account violates.']);
    const long = await browser.submit('/@bob/report', { category: 'spam', comment: 'x'.repeat(1_001) });
    expect([long.status, ticked(long.body)]).to.deep.equal([422, ['c-spam']]);
    const unknown = await browser.submit('/@bob/report', { category: 'nonsense' });
    expect(unknown.status).to.equal(422);
    expect((await filed()).length).to.equal(before);
  });

  it("refuses others' posts as evidence, and knows neither oneself nor strangers", async () => {
    const before = (await filed()).length;
    const own = await posted(alice, 'my own post');
    expect((await browser.open(`/@bob/report?status_id=${own}`)).body).not.to.contain('my own post');
    const forged = await browser.submit('/@bob/report', { category: 'spam', 'status_ids[]': own });
    expect(forged.status).to.equal(404);
    expect((await browser.open('/@alice/report')).status).to.equal(404);
    expect((await browser.open('/@nobody/report')).status).to.equal(404);
    expect((await browser.open('/@bob/report?status_id=x')).status).to.equal(200);
    expect((await filed()).length).to.equal(before);
  });

  it('keeps the comment when the session ended meanwhile', async () => {
    const other = await signedIn(server, 'alice');
    await other.open('/@bob/report');
    other.cookies.clear();
    const kept = await other.submit('/@bob/report', { category: 'spam', comment: 'a long story' });
    expect(kept.status).to.be.oneOf([401, 403]);
    expect(kept.body).to.contain('a long story').and.contain('/auth/sign_in?return_to=');
  });
});
