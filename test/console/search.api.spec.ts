import { expect } from 'chai';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { inMain, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { textIn } from '../web/notices-support.ts';
import { statementsOfPage } from './support.ts';

const UUID = '0c1a2b3d-6f60-4d0e-9a53-2f5c8a5f4d11';

describeTown('The search of the console', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let vera: Person;
  let post: string;
  let report: string;
  let operator: Browser;
  let moderator: Browser;

  before(async () => {
    owner = await town.staff('owner', 'Owner');
    await town.staff('mod', 'Moderator');
    vera = await town.person('vera');
    ({ id: post } = await ok(vera.post<{ id: string }>('/api/v1/statuses', { status: 'hello' })));
    ({ id: report } = await ok(owner.post<{ id: string }>('/api/v1/reports', { account_id: vera.id })));
    await ok(owner.post('/api/v1/admin/domain_blocks', { domain: 'spam.example' }));
    await town.waitUntilIdle();
    operator = await signedIn(town.server, 'owner');
    moderator = await signedIn(town.server, 'mod');
  });

  const find = (text: string, by = operator): Promise<Answer> =>
    by.open(`/admin/search?q=${encodeURIComponent(text)}`);
  const links = (page: Answer): string[] =>
    inMain(page, 'a').map(({ attributes }) => attributes['href'] ?? '');

  it('is the search box of every page of the console', async () => {
    for (const path of ['/admin', '/admin/log', '/admin/search']) {
      const page = await operator.open(path);
      const form = load(page.body as string).one('form', { class: 'search' });
      expect(form?.attributes['action'], path).to.equal('/admin/search');
    }
  });

  it('finds accounts by the beginning of a handle, by an e-mail address and by an IP address', async () => {
    const { domain } = town.app.instance;
    await signedIn(town.server, 'vera');
    await town.waitUntilIdle();
    const seen = await ok(owner.get<{ email: string; ip: string }>(`/api/v1/admin/accounts/${vera.id}`));
    for (const text of ['vera', '@ver', `@vera@${domain}`, seen.email, seen.ip])
      expect(links(await find(text)), text).to.include(`/admin/accounts/${vera.id}`);
    expect(links(await find('192.0.2.250'))).not.to.include(`/admin/accounts/${vera.id}`);
  });

  it('finds accounts, posts and reports by ID, and an event by its position', async () => {
    expect(links(await find(vera.id))).to.include.members([
      `/admin/accounts/${vera.id}`,
      `/admin/replay/account/${vera.id}`,
    ]);
    expect(links(await find(post))).to.include.members([
      `/admin/replay/status/${post}`,
      `/admin/audit?status=${post}`,
    ]);
    expect(links(await find(report))).to.include(`/admin/reports/${report}`);
    expect(links(await find('12'))).to.include('/admin/log/12');
  });

  it('finds domains, settings and requests', async () => {
    expect(links(await find('Spam.example'))).to.include.members([
      '/admin/replay/domain/spam.example',
      '/admin/domain_blocks?domain=spam.example',
      '/admin/audit?domain=spam.example',
      '/admin/federation?q=spam.example',
    ]);
    expect(links(await find('registrations'))).to.include('/admin/replay/setting/registrations');
    expect(links(await find(UUID))).to.include.members([
      `/admin/trace/${UUID}`,
      `/admin/audit?correlation_id=${UUID}`,
    ]);
  });

  it('leads to no page that the role may not open', async () => {
    for (const text of ['12', 'spam.example', UUID, 'vera', post]) {
      const page = await find(text, moderator);
      expect(page.status, text).to.equal(200);
      for (const href of links(page).filter((each) => each.startsWith('/admin')))
        expect((await moderator.open(href)).status, `${text}: ${href}`).to.equal(200);
    }
  });

  it('says that it found nothing, keeps the text, and takes any text', async () => {
    for (const text of ['nobody_here', '<b>&', '%', '💥', 'x'.repeat(2_000), '@', '@@', '9'.repeat(30)]) {
      const page = await find(text);
      expect(page.status, text).to.equal(200);
      expect(textIn(page), text).to.contain('Nothing found');
    }
    const kept = load((await find('<b>&')).body as string).one('input', { id: 'q' });
    expect(kept?.attributes['value']).to.equal('<b>&');
    expect(textIn(await operator.open('/admin/search'))).to.contain('What you can search for');
  });

  it('leaves no e-mail address and no IP address in the log', async () => {
    await find('secret@mail.example');
    await find('192.0.2.77');
    await town.waitUntilIdle();
    const entries = await ok(
      owner.get<AuditEntry[]>('/api/v1/admin/audit?action[]=audit_log.viewed&limit=100'),
    );
    expect(JSON.stringify(entries)).not.to.contain('secret@mail').and.not.to.contain('192.0.2.77');
  });

  it('is not there for people without a role', async () => {
    const own = await signedIn(town.server, 'vera');
    expect((await find('vera', own)).status).to.equal(404);
  });

  it('costs at most eight statements', async () => {
    for (const text of ['vera', 'vera@example.org', 'spam.example', post]) {
      await find(text);
      const names = await statementsOfPage(town.app.db, () => find(text));
      expect(names.length, `${text}: ${names.join()}`).to.be.at.most(8);
    }
  });
});
