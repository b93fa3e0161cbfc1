import { expect } from 'chai';
import { eraseAccount } from '#commands/accounts/index.ts';
import { OPERATOR } from '#kernel/event.ts';
import type { AdminEvent, AdminEventPage, AdminTrace } from '#mastodon/schemas/index.ts';
import { alertOf, headingOf, inMain, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { textIn } from '../web/notices-support.ts';
import { statementsOfPage } from './support.ts';

const LOG = '/api/v1/admin/log';
const SECRET = 'a private text of the spec';

describeTown('The event log of the console', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let mod: Person;
  let alice: Person;
  let browser: Browser;
  let posted: AdminEvent;

  const list = (query = ''): Promise<AdminEventPage> => ok(owner.get<AdminEventPage>(`${LOG}${query}`));

  before(async () => {
    owner = await town.staff('owner', 'Owner');
    mod = await town.staff('mod', 'Moderator');
    alice = await town.person('alice');
    await ok(alice.post('/api/v1/statuses', { status: SECRET }));
    await town.waitUntilIdle();
    browser = await signedIn(town.server, 'owner');
    const { events } = await list('?type[]=StatusCreated');
    posted = events[0] ?? expect.fail('no event');
  });

  it('shows the newest events first, and says where the log ends', async () => {
    const { events, head, looked } = await list('?limit=5');
    expect(events.map(({ position }) => Number(position))).to.deep.equal(
      [0, 1, 2, 3, 4].map((back) => Number(looked.last) - back),
    );
    expect(looked.events).to.equal(5);
    expect(Number(head)).to.be.at.least(Number(looked.last));
  });

  it('shows all events once when pages follow each other', async () => {
    const seen: number[] = [];
    for (let next: string | null = String((await town.events()) + 1n); next !== null;) {
      const page: AdminEventPage = await list(`?limit=7&max_id=${next}`);
      seen.push(...page.events.map(({ position }) => Number(position)));
      ({ next } = page);
    }
    expect(seen).to.deep.equal(seen.map((_each, index) => seen.length - index));
  });

  it('filters by type, stream, beginning of a stream, user and correlation', async () => {
    const filters = [
      ['type[]=StatusCreated', ({ type }) => type === 'StatusCreated'],
      [`stream=${posted.stream}`, ({ stream }) => stream === posted.stream],
      ['stream=status-*', ({ stream }) => stream.startsWith('status-')],
      ['actor=alice', ({ actor }) => actor?.id === alice.id],
      [`actor=${alice.id}`, ({ actor }) => actor?.username === 'alice'],
      [`correlation=${posted.correlation_id}`, (event) => event.correlation_id === posted.correlation_id],
      [`actor=alice&type[]=StatusCreated&stream=${posted.stream}`, ({ id }) => id === posted.id],
    ] as const satisfies [string, (event: AdminEvent) => boolean][];
    const { events: all } = await list(`?limit=100&max_id=${(await town.events()) + 1n}`);
    for (const [query, matches] of filters) {
      const { events } = await list(`?limit=100&${query}`);
      expect(
        events.map(({ id }) => id),
        query,
      ).to.include(posted.id);
      expect(events.every(matches), query).to.equal(true);
      const expected = all.filter(matches).map(({ id }) => id);
      expect(
        events.map(({ id }) => id),
        query,
      ).to.include.members(expected);
    }
  });

  it('leaves out types, and takes only the events of a time', async () => {
    const { events: all } = await list(`?limit=100&max_id=${(await town.events()) + 1n}`);
    const middle = all[Math.floor(all.length / 2)] ?? expect.fail('no events');
    const next = new Date(Date.parse(middle.time) + 1).toISOString();
    const filters = [
      [
        'exclude_type[]=StatusCreated&exclude_type[]=AuditViewed',
        ({ type }) => !/^(StatusC|AuditV)/.test(type),
      ],
      [`from=${middle.time}`, ({ time }) => time >= middle.time],
      [`until=${next}`, ({ time }) => time < next],
      [`from=${middle.time}&until=${next}`, ({ time }) => time === middle.time],
      ['until=2000-01-01', () => false],
      ['from=2999-01-01', () => false],
    ] as const satisfies [string, (event: AdminEvent) => boolean][];
    const before = `max_id=${Number(all[0]?.position) + 1}`;
    for (const [query, matches] of filters) {
      const { events } = await list(
        `?limit=100&${query}${query.startsWith('until=2000') ? '' : `&${before}`}`,
      );
      expect(
        events.map(({ id }) => id),
        query,
      ).to.deep.equal(all.filter(matches).map(({ id }) => id));
    }
    const { events } = await list(`?limit=100&until=${next}`);
    expect(events[0]?.id, 'from the place of that time on').to.equal(all.find(({ time }) => time < next)?.id);
    const spaced = middle.time.slice(0, 16).replace('T', ' ');
    const byHand = await list(`?limit=100&from=${spaced}&${before}`);
    const exact = await list(`?limit=100&from=${spaced.replace(' ', 'T')}Z&${before}`);
    expect(byHand.events).to.deep.equal(exact.events);
    for (const bad of ['exclude_type[]=Nope', 'from=yesterday', 'until=02/12/2026']) {
      expect((await owner.get(`${LOG}?${bad}`)).status, bad).to.equal(422);
    }
  });

  it('does not fill with the looks of its reader unless the form asks for them', async () => {
    const first = await browser.open('/admin/log');
    await browser.open('/admin/log');
    await town.waitUntilIdle();
    expect(textIn(await browser.open('/admin/log'))).not.to.match(/AuditViewed\s/);
    expect(textIn(await browser.open('/admin/log?own_views=1'))).to.match(/AuditViewed\s/);
    expect(textIn(await browser.open('/admin/log?type=AuditViewed'))).to.match(/AuditViewed\s/);
    const without = textIn(await browser.open('/admin/log?own_views=1&without=StatusCreated,AuditViewed'));
    expect(without).not.to.match(/AuditViewed\s/);
    expect(without).not.to.contain('StatusCreated ');
    expect(inMain(first, 'option').map(({ attributes }) => attributes['value'])).to.include.members([
      'AuditViewed',
      'StatusCreated',
    ]);
    const refused = await browser.open('/admin/log?from=yesterday');
    expect(refused.status).to.equal(422);
  });

  it('shows the looks of other readers', async () => {
    const other = await town.staff('other', 'Owner');
    await ok(other.get(`${LOG}?stream=looked-at-*`));
    await town.waitUntilIdle();
    const looks = ({ events }: AdminEventPage): unknown[] =>
      events.filter(({ type }) => type === 'AuditViewed').map(({ actor }) => actor?.username);
    expect(looks(await list('?limit=100'))).to.include.members(['owner', 'other']);
    const left = looks(await list('?limit=100&exclude_own_views=true'));
    expect(left).to.include('other').and.not.to.include('owner');
    expect(textIn(await browser.open('/admin/log'))).to.match(/AuditViewed\s.*@other/);
  });

  it('keeps what a trace found when a further search finds nothing', async () => {
    const path = `/admin/trace/${posted.correlation_id}`;
    const further = await browser.open(`${path}?max_id=2&found=${posted.position}`);
    expect(further.status).to.equal(200);
    expect(headingOf(further)).to.equal('Nothing further');
    const [back] = inMain(further, 'a').filter(({ text }) => text.trim() === 'What was found');
    const found = await browser.open(back?.attributes['href'] ?? '');
    expect([found.status, headingOf(found)]).to.deep.equal([200, 'Trace']);
    expect(textIn(found)).to.contain('StatusCreated');
  });

  it('names the permission that a role lacks, in the frame of the console', async () => {
    const moderator = await signedIn(town.server, 'mod');
    const page = await moderator.open('/admin/log');
    expect(page.status).to.equal(403);
    expect(textIn(page)).to.contain(
      'Your role Moderator lacks the permission Operate the server (view_devops)',
    );
    expect(String(page.body)).to.contain('console-nav').and.to.contain('/admin/reports');
  });

  it('hides personal fields, says how they are kept, and shows them on demand', async () => {
    const hidden = await ok(owner.get<AdminEvent>(`${LOG}/${posted.position}`));
    expect(hidden.personal).to.include({ encrypted: true, erased: false, shown: false });
    expect(JSON.stringify(hidden)).not.to.contain(SECRET);
    expect(hidden.data).to.include({ visibility: 'public' });
    const shown = await ok(owner.get<AdminEvent>(`${LOG}/${posted.position}?personal=true`));
    expect(shown.data).to.include({ text: SECRET });
  });

  it('marks the events of an erased person, and has nothing to show', async () => {
    const gone = await town.person('gone');
    await ok(gone.post('/api/v1/statuses', { status: 'soon erased' }));
    const { events } = await list('?type[]=StatusCreated&actor=gone');
    await eraseAccount(town.app.systemContext(OPERATOR), gone.id, undefined);
    await town.waitUntilIdle();
    const position = events[0]?.position ?? '';
    const event = await ok(owner.get<AdminEvent>(`${LOG}/${position}?personal=true`));
    expect(event.personal).to.include({ encrypted: true, erased: true });
    expect(JSON.stringify(event)).not.to.contain('soon erased');
    expect(textIn(await browser.open(`/admin/log/${position}`))).to.contain('Erased');
  });

  it('records who looked, and for what', async () => {
    await ok(owner.get(`${LOG}/${posted.position}?personal=true`));
    await town.waitUntilIdle();
    const entries = await ok(
      owner.get<{ changes: { field: string; after: unknown }[] }[]>(
        '/api/v1/admin/audit?action[]=audit_log.viewed',
      ),
    );
    const looks = entries.map(({ changes }) =>
      Object.fromEntries(changes.map(({ field, after }) => [field, after])),
    );
    expect(looks).to.deep.include({ of: 'event_log', personal: 'true', position: posted.position });
  });

  it('traces a request to its events, and to what reactors did because of them', async () => {
    const bob = await town.person('bob');
    const { id } = await ok(bob.post<{ id: string }>('/api/v1/statuses', { status: 'hello' }));
    await town.waitUntilIdle();
    const { events } = await list(`?stream=status-${id}`);
    const { correlation_id, position } = events.at(-1) ?? expect.fail('no event');
    for (const query of ['', `?near=${position}`]) {
      const trace = await ok(owner.get<AdminTrace>(`/api/v1/admin/trace/${correlation_id}${query}`));
      expect(trace.events.map(({ type }) => type)).to.include('StatusCreated');
      expect(trace.events.every((event) => event.correlation_id === correlation_id)).to.equal(true);
      expect(trace.read_models.find(({ name }) => name === 'statuses')).to.include({
        state: 'contains_them',
      });
    }
    const page = await browser.open(`/admin/trace/${correlation_id}?near=${position}`);
    expect(textIn(page)).to.contain('StatusCreated').and.to.contain('@bob');
  });

  for (const [path, status] of [
    [`${LOG}?type[]=Nonsense`, 422],
    [`${LOG}?max_id=abc`, 422],
    [`${LOG}?max_id=-1`, 422],
    [`${LOG}?limit=101`, 200],
    [`${LOG}?limit=0`, 200],
    [`${LOG}?correlation=${encodeURIComponent('<script>')}`, 422],
    [`${LOG}?actor=nobody_here`, 404],
    [`${LOG}/999999999`, 404],
    [`${LOG}/0`, 404],
    [`${LOG}/abc`, 404],
    [`${LOG}/${'9'.repeat(30)}`, 404],
    [`/api/v1/admin/trace/${encodeURIComponent('no id!')}`, 404],
    ['/api/v1/admin/trace/abc?near=x', 422],
  ] as const) {
    it(`answers ${status} to ${path}`, async () => {
      expect((await owner.get(path)).status).to.equal(status);
    });
  }

  it('is closed to users without a role, and to roles without the permission', async () => {
    const pages = ['/admin/log', `/admin/log/${posted.position}`, `/admin/trace/${posted.correlation_id}`];
    for (const [username, status] of [
      ['alice', 404],
      ['mod', 403],
    ] as const) {
      const other = await signedIn(town.server, username);
      for (const page of pages) expect((await other.open(page)).status, page).to.equal(status);
    }
    for (const path of [LOG, `${LOG}/1`, `/api/v1/admin/trace/${posted.correlation_id}`]) {
      expect((await mod.get(path)).status, path).to.equal(403);
      expect((await town.nobody.get(path)).status, path).to.equal(403);
    }
  });

  it('has a page with the events, whose links lead to one event and to its trace', async () => {
    const page = await browser.open('/admin/log?type=StatusCreated&actor=alice');
    expect(page.status).to.equal(200);
    const hrefs = inMain(page, 'a').map(({ attributes }) => attributes['href'] ?? '');
    expect(hrefs).to.include(`/admin/log/${posted.position}`);
    expect(hrefs).to.include(`/admin/trace/${posted.correlation_id}?near=${posted.position}`);
    expect(headingOf(await browser.open(`/admin/log/${posted.position}`))).to.contain('StatusCreated');
  });

  it('follows the log unless it is paused or looks back', async () => {
    const isLive = async (path: string): Promise<boolean> =>
      inMain(await browser.open(path), 'div').some(({ attributes }) => 'data-live' in attributes);
    expect(await isLive('/admin/log')).to.equal(true);
    expect(await isLive('/admin/log?paused=true')).to.equal(false);
    expect(await isLive('/admin/log?max_id=5')).to.equal(false);
  });

  it('explains a filter that cannot be, and keeps what was typed', async () => {
    for (const [query, status, text] of [
      ['type=Nonsense', 422, 'no type of event'],
      ['actor=nobody_here', 404, 'nobody_here is no user'],
      ['max_id=abc', 422, 'position of the log'],
    ] as const) {
      const page = await browser.open(`/admin/log?${query}`);
      expect(page.status, query).to.equal(status);
      expect(alertOf(page), query).to.contain(text);
    }
    const none = await browser.open('/admin/log?type=VoteCast');
    expect(none.status).to.equal(200);
    expect(textIn(none)).to.contain('No event matches there');
  });

  it('has clear pages for positions past the end, and for ids that are none', async () => {
    for (const [path, text] of [
      ['/admin/log/999999999', 'no event at position 999999999'],
      ['/admin/log/abc', 'is a number'],
      ['/admin/trace/unknown-id', 'No event there has the correlation id unknown-id'],
      ['/admin/trace/no%20id!', 'the id of a request'],
    ] as const) {
      const page = await browser.open(path);
      expect(page.status, path).to.equal(404);
      expect(textIn(page), path).to.contain(text);
    }
  });

  it('costs at most six statements a page', async () => {
    const pages = ['/admin/log', `/admin/log/${posted.position}`, `/admin/trace/${posted.correlation_id}`];
    for (const page of pages) {
      await browser.open(page);
      const statements = await statementsOfPage(town.app.db, () => browser.open(page));
      expect(statements.length, `${page}: ${statements.join(' ')}`).to.be.at.most(6);
    }
  });
});
