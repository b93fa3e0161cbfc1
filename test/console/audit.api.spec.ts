import { expect } from 'chai';
import type { AuditApplication, AuditEntry } from '#mastodon/schemas/index.ts';
import { alertOf, headingOf, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { statementsOfPage } from './support.ts';

const AUDIT = '/api/v1/admin/audit';

const linesOf = (text: string): AuditEntry[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEntry);

describeTown('The audit log in the console', function (town) {
  this.timeout(60_000);
  let boss: Person;
  let mod: Person;
  let bob: Person;
  let report: string;
  let staff: Browser;

  before(async function () {
    this.timeout(120_000);
    [boss, mod, bob] = await Promise.all([
      town.staff('boss', 'Owner'),
      town.staff('mod', 'Moderator'),
      town.person('bob'),
    ]);
    report = (
      await ok(boss.post<{ id: string }>('/api/v1/reports', { account_id: bob.id, category: 'spam' }))
    ).id;
    const path = `/api/v1/admin/accounts/${bob.id}`;
    await ok(
      mod.post(`${path}/action`, { type: 'suspend', report_id: report, text: 'Advertising, <b>again</b>' }),
    );
    await ok(boss.post(`${path}/unsuspend`));
    await ok(boss.post('/api/v1/admin/domain_allows', { domain: 'far.example' }));
    await town.waitUntilIdle();
    staff = await signedIn(town.server, 'mod');
  });

  const open = async (query = ''): Promise<Answer> => {
    await town.waitUntilIdle();
    return staff.open(`/admin/audit${query}`);
  };
  /** The text of each entry of a page. */
  const said = ({ body }: Answer): string[] =>
    load(body as string)
      .all('p', { class: 'said' })
      .map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
  const list = (query: string): Promise<AuditEntry[]> => ok(boss.get<AuditEntry[]>(`${AUDIT}?${query}`));
  const actions = (entries: readonly AuditEntry[]): string[] => entries.map(({ action }) => action);

  describe('by the API', () => {
    it('takes handles of accounts as well as their ids', async () => {
      const byId = await list(`target=${bob.id}&actor=${mod.id}&action[]=account.suspended`);
      expect(actions(byId)).to.deep.equal(['account.suspended']);
      expect(await list('target=@Bob&actor=mod&action[]=account.suspended')).to.deep.equal(byId);
      const { domain } = town.app.instance;
      expect(await list(`target=bob@${domain}&action[]=account.suspended`)).to.deep.equal(byId);
      for (const nobody of ['nobody', 'bob@elsewhere.example', '@', `@${bob.id}`, '💥'])
        expect(await list(`target=${encodeURIComponent(nobody)}`), nobody).to.deep.equal([]);
    });

    it('finds all that one command did, and leaves actions out', async () => {
      const [suspended] = await list('action[]=account.suspended');
      const { correlation_id = '' } = suspended ?? {};
      const together = await list(`correlation_id=${correlation_id}`);
      expect(actions(together)).to.include('account.suspended').and.to.include('report.resolved');
      expect(together.every((entry) => entry.correlation_id === correlation_id)).to.equal(true);
      const others = await list(`correlation_id=${correlation_id}&exclude_action[]=report.resolved`);
      expect(actions(others)).to.deep.equal(
        actions(together).filter((action) => action !== 'report.resolved'),
      );
      expect(await list('correlation_id=nothing')).to.deep.equal([]);
      expect((await boss.get(`${AUDIT}?exclude_action[]=account.vanished`)).status).to.equal(422);
    });

    it('lists the apps that entries name', async () => {
      const apps = await ok(boss.get<AuditApplication[]>(`${AUDIT}/applications`));
      const [entry] = await list('action[]=account.suspended');
      expect(apps).to.deep.include(entry?.application);
      expect(new Set(apps.map(({ id }) => id)).size).to.equal(apps.length);
      expect((await bob.get(`${AUDIT}/applications`)).status).to.equal(403);
    });
  });

  describe('as a page', () => {
    it('says in plain words who did what to whom, why, and the values before and after', async () => {
      const page = await open('?target=bob&action[]=account.suspended');
      expect(page.status).to.equal(200);
      expect(said(page)).to.deep.equal([
        `@mod (Moderator) suspended @bob, with the app tests, because of report ${report}.`,
      ]);
      const seen = load(page.body as string);
      expect(seen.one('ul', { class: 'changes' })?.text.replaceAll(/\s+/g, ' ').trim()).to.equal(
        'suspended: no → becomes yes',
      );
      expect(seen.one('blockquote')?.text).to.equal('Advertising, <b>again</b>');
      const hrefs = seen.all('a').map(({ attributes }) => attributes['href']);
      const [entry] = await list('action[]=account.suspended');
      expect(hrefs).to.include.members([
        `/admin/replay/account/${bob.id}`,
        `/admin/replay/report/${report}`,
        `/admin/proofs/${entry?.id}`,
        `/admin/audit/${entry?.id}`,
      ]);
    });

    it('folds the entries of one command below the gravest of them, whose sentence names both', async () => {
      const page = await open(`?target=bob&actor=mod`);
      const folded = load(page.body as string).all('details', { class: 'rest' });
      expect(folded.map(({ text }) => text.replaceAll(/\s+/g, ' '))).to.have.length(1);
      expect(folded[0]?.text).to.include('resolved');
      expect(said(page)[0]).to.match(
        /suspended @bob, .* because of report \d+; also resolved that report\.$/,
      );
    });

    it('mixes conditions, keeps them in the form and in the links of the export', async () => {
      const page = await open(
        '?actor=@boss&target=bob&role[]=Owner&role[]=Admin&actor_kind[]=user&action[]=account.unsuspended&from=2020-01-01&until=2999-01-01T00:00Z',
      );
      expect(said(page)).to.have.length(1);
      const seen = load(page.body as string);
      expect(seen.one('input', { name: 'actor' })?.attributes['value']).to.equal('@boss');
      expect(seen.one('input', { id: 'until' })?.attributes).to.include({
        type: 'text',
        value: '2999-01-01T00:00Z',
      });
      const ticked = seen
        .all('input', { type: 'checkbox' })
        .filter(({ attributes }) => 'checked' in attributes);
      expect(ticked.map(({ attributes }) => attributes['value'])).to.have.members([
        'Owner',
        'Admin',
        'user',
        'account.unsuspended',
      ]);
      const link = seen.all('a').find(({ attributes }) => attributes['href']?.endsWith('format=ndjson'));
      const cookies = staff.cookieHeader;
      const file = await fetch(`${town.url}${link?.attributes['href']}`, { headers: { Cookie: cookies } });
      expect(file.status).to.equal(200);
      expect(file.headers.get('content-disposition')).to.match(/^attachment; filename="audit-.*\.ndjson"$/);
      const entries = linesOf(await file.text());
      expect(entries).to.deep.equal(await list('actor=boss&target=bob&action[]=account.unsuspended'));
    });

    it('hides who read the log, unless that is asked for', async () => {
      await open();
      expect(said(await open()).join()).not.to.include('viewed the audit log');
      expect(said(await open('?reads=1')).join()).to.include('@mod (Moderator) viewed the audit log');
    });

    it('leads through the pages of a long list', async () => {
      const page = await open();
      expect(load(page.body as string).all('a', { rel: 'next' })).to.deep.equal([]);
      const [newest] = await list('limit=1&exclude_action[]=audit_log.viewed');
      const older = await open(`?max_id=${newest?.id}&actor=boss`);
      expect(
        load(older.body as string)
          .all('a')
          .map(({ text }) => text),
      ).to.include('Newest');
    });

    it('shows one entry with its details, and the others of its command', async () => {
      const [entry] = await list('action[]=account.suspended');
      const page = await open(`/${entry?.id}`);
      expect(page.status).to.equal(200);
      expect(headingOf(page)).to.equal('Suspended');
      const [own = '', ...others] = said(page);
      expect(own).to.include('suspended @bob');
      expect(others.join()).to.include(`resolved report ${report}`);
      for (const fact of [entry?.event_id, entry?.command_id, entry?.correlation_id, 'account.suspended'])
        expect(page.body).to.include(fact);
    });

    it('explains bad conditions and keeps them, and says when nothing fits', async () => {
      for (const [query, why] of [
        ['from=yesterday', 'must be a time'],
        ['from=2026-02-31T99:00Z', 'must be a time'],
        ['from=2026-03-01&until=2026-02-01', 'until is before from'],
        ['action[]=account.vanished', 'is not included in the list'],
        ['role[]=King', 'is not included in the list'],
        [`actor=${'x'.repeat(400)}`, 'too long'],
      ] as const) {
        const page = await open(`?${query}`);
        expect(page.status, query).to.equal(422);
        expect(alertOf(page), query).to.include(why);
      }
      const kept = await open('?from=yesterday&actor=boss');
      expect(load(kept.body as string).one('input', { name: 'from' })?.attributes['value']).to.equal(
        'yesterday',
      );
      expect((await open('?from=2020-01-01 20:00&until=1 Dec 2999, 20:00 UTC')).status).to.equal(200);
      expect((await open('?from=02/12/2026')).status).to.equal(422);
      for (const query of [
        'post=1&status=x',
        'report=-1',
        'actor=nobody',
        'domain=..',
        'target=bob&domain=far.example',
      ]) {
        const page = await open(`?${query}`);
        expect(page.status, query).to.equal(200);
        expect(page.body, query).to.include('fits all of these conditions');
      }
      expect((await open('?from=2999-01-01')).body).to.include('These times are in the future');
    });

    it('has no page for what is no entry', async () => {
      for (const id of ['0', 'x', '1', '9999999999999999999999', '-1'])
        expect((await open(`/${id}`)).status, id).to.equal(404);
    });

    it('is not there for people without a role, and asks strangers to sign in', async () => {
      const own = await signedIn(town.server, 'bob');
      const before = await town.events();
      for (const path of ['', '/1', '?format=csv'])
        expect((await own.open(`/admin/audit${path}`)).status, path).to.equal(404);
      const stranger = await town.server.call('GET', '/admin/audit?format=csv');
      expect(stranger.status).to.equal(303);
      expect(stranger.headers.get('location')).to.include('/auth/sign_in');
      expect(await town.events()).to.equal(before);
    });

    it('costs at most six statements, however many conditions and entries', async () => {
      const [entry] = await list('action[]=account.suspended');
      for (const path of [
        '',
        '?limit=200&reads=1',
        '?actor=mod&target=bob&domain=x.example',
        `/${entry?.id}`,
      ]) {
        const names = await statementsOfPage(town.app.db, () => open(path));
        expect(names.length, `${path}: ${names.join()}`).to.be.at.most(6);
      }
    });
  });

  describe('as a file', () => {
    const download = async (
      query: string,
      who = boss,
    ): Promise<{ type: string; name: string; text: string }> => {
      await town.waitUntilIdle();
      const headers = { Authorization: `Bearer ${who.token}` };
      const answer = await fetch(`${town.url}${AUDIT}_export?${query}`, { headers });
      expect(answer.status).to.equal(200);
      return {
        type: answer.headers.get('content-type') ?? '',
        name: answer.headers.get('content-disposition') ?? '',
        text: await answer.text(),
      };
    };

    it('has the entries of the list, oldest first, and is an entry itself', async () => {
      const { type, name, text } = await download('target=bob&exclude_action[]=account.warned');
      expect(type).to.equal('application/x-ndjson; charset=utf-8');
      expect(name).to.match(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.ndjson"$/);
      const entries = linesOf(text);
      expect(entries).to.deep.equal((await list('target=bob')).toReversed());
      await town.waitUntilIdle();
      const [own] = await list('action[]=audit_log.exported');
      expect(own?.actor.account).to.deep.equal({ id: boss.id, acct: 'boss' });
      expect(own?.changes.map(({ field, after }) => [field, after])).to.deep.include.members([
        ['format', 'ndjson'],
        ['target', 'bob'],
        ['exclude_action', 'account.warned'],
      ]);
    });

    it('is a table with a heading, also without any entry', async () => {
      const { type, text } = await download('format=csv&domain=far.example');
      expect(type).to.equal('text/csv; charset=utf-8');
      const [heading, line, ...others] = text.split('\r\n');
      expect(heading).to.match(/^id,created_at,action,/);
      expect(line).to.include('domain_allow.created');
      expect(others).to.deep.equal(['']);
      const none = await download('format=csv&domain=nowhere.example');
      expect(none.text.split('\r\n')).to.deep.equal([heading, '']);
      expect((await download('domain=nowhere.example')).text).to.equal('');
    });

    it('is refused, and not recorded, for wrong conditions and for others than staff', async () => {
      await town.waitUntilIdle();
      const before = await town.events();
      for (const query of ['format=xml', 'from=x', 'action[]=x', 'from=2026-02-01&until=2026-01-01'])
        expect((await boss.get(`${AUDIT}_export?${query}`)).status, query).to.equal(422);
      expect((await bob.get(`${AUDIT}_export`)).status).to.equal(403);
      expect((await town.nobody.get(`${AUDIT}_export`)).status).to.equal(403);
      const readsOnly = await boss.withScopes('read', 'write');
      expect((await readsOnly.get(`${AUDIT}_export`)).status).to.equal(403);
      expect(await town.events()).to.equal(before);
    });
  });
});
