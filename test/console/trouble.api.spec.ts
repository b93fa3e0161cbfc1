import { expect } from 'chai';
import type { AdminProjection, AdminTrouble, Report } from '#mastodon/schemas/index.ts';
import { inMain, signedIn } from '../account-pages/support.ts';
import type { Browser } from '../oauth/client.ts';
import { load } from '../pages/parse.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import type { Answer } from '../support/server.ts';
import { statementsOfRequests } from '../support/statements.ts';
import { applicant, settled } from './people.ts';
import { haltMarkers, mendMarkers, MENU, setAside, statementsOfPage, withTimer } from './support.ts';

const PATH = '/api/v1/admin/trouble';

describeTown('The present failures of a server', function (town) {
  this.timeout(120_000);
  let owner: Person;
  let browser: Browser;

  before(async () => {
    owner = await town.staff('owner', 'Owner');
    await town.staff('mod', 'Moderator');
    browser = await signedIn(town.server, 'owner');
  });

  const retry = async (name: string): Promise<void> => {
    await owner.post(`/api/v1/admin/projections/${name}/retry`);
    await eventually(async () => {
      const { json } = await owner.get<AdminProjection>(`/api/v1/admin/projections/${name}`);
      expect(json.state).to.equal('following');
    });
  };
  const troubles = (answer: Answer): [text: string, href: string | undefined][] =>
    load(String(answer.body))
      .all('a')
      .filter(({ inside }) => inside.includes('ul.troubles'))
      .map(({ text, attributes }) => [text.trim(), attributes['href']]);
  /** Returns the numbers of the menu, by the name of their page. */
  const menuOf = (answer: Answer): Record<string, string> =>
    Object.fromEntries(
      load(String(answer.body))
        .all('a')
        .filter(({ inside }) => inside.includes('nav.sidenav.console-nav'))
        .flatMap(({ text }) => {
          const [, name = '', count = ''] =
            /^(.*?)\s+(\d+\+?)$/.exec(text.replaceAll(/\s+/g, ' ').trim()) ?? [];
          return name === '' ? [] : [[name, count]];
        }),
    );

  it('are none on a sound server', async () => {
    const trouble = await ok(owner.get<AdminTrouble>(PATH));
    const { timers: _, ...rest } = trouble;
    expect(rest).to.deep.equal({ alerts_count: 0, alerts: [], projections: [], reactors: [] });
    const page = await browser.open('/admin');
    expect(menuOf(page)).to.deep.equal({});
  });

  it('are not shown to roles that do not operate the server', async () => {
    const mod = await signedIn(town.server, 'mod');
    const page = await mod.open('/admin');
    expect(page.status).to.equal(200);
    expect(String(page.body)).not.to.include('Nothing is wrong').and.not.to.include('Wrong now');
    const admin = await town.staff('admin', 'Admin');
    expect((await admin.get(PATH)).status).to.equal(403);
  });

  it('stand first on the dashboard, with links, and in the menu', async () => {
    await haltMarkers(town, owner);
    await setAside(town, 'push');
    await town.app.db.query(
      `insert into durable.federation_hosts (host, delivered, down_since, last_failure)
       values ('big.example', 5000, now() - interval '3 hours', 'connection refused')`,
    );
    const { services, newId } = town.app.contextDependencies;
    await services.alerts.evaluate(new Date().toISOString(), newId);
    const failing = `new.failing := 1; new.error := 'No <b>room</b>';`;
    await withTimer(town, 'rankings', failing, async () => {
      const answer = await browser.open('/admin');
      expect(answer.status).to.equal(200);
      const shown = troubles(answer);
      expect(shown).to.deep.include(['The projection markers is halted', '/admin/projections/markers']);
      expect(shown).to.deep.include(['The schedule rankings fails', '/admin/jobs#schedules']);
      expect(shown).to.deep.include([
        'The reactor push could not handle 1 event',
        '/admin/reactors?reactor=push',
      ]);
      expect(shown.map(([text]) => text)).to.include('Deliveries to a big server fail: big.example');
      for (const [, href = ''] of shown) expect((await browser.open(href)).status, href).to.equal(200);
      const [heading] = inMain(answer, 'h2');
      expect(heading?.text).to.equal('Wrong now');
      const menu = menuOf(await browser.open('/admin/rules'));
      expect(menu).to.include({ Projections: '1', Alerts: '2', Reactors: '1' });
      expect(Number(menu['Jobs'])).to.be.at.least(1);
      // The alert about the projection says nothing that its line does not say.
      expect(shown.filter(([text]) => text.includes('markers'))).to.have.length(1);
      expect(String(answer.body)).to.include('No &#60;b&#62;room');
    });
    await mendMarkers(town);
    await retry('markers');
  });

  it('cost every page of the console three statements', async () => {
    const open = (): Promise<Answer> => browser.open('/admin/rules');
    await open();
    const all = await statementsOfRequests(town.app.db, open);
    const others = await statementsOfPage(town.app.db, open);
    expect(all.length - others.length, all.join()).to.equal(MENU.length);
  });

  it('do not hide the dashboard when the counts themselves cannot be read', async () => {
    const alice = await town.person('alice');
    await town.app.projectionDb.query('alter table reports add constraint refused check (false) not valid');
    await alice.post('/api/v1/reports', { account_id: owner.id });
    await eventually(async () => {
      const { status, body } = await browser.open('/admin');
      expect(status).to.equal(200);
      expect(String(body)).to.include('The projection reports is halted').and.include('cannot be read now');
    });
    await town.app.projectionDb.query('alter table reports drop constraint refused');
    await retry('reports');
  });
});

describeTown('The counts of the menu', function (town) {
  this.timeout(120_000);

  it('are those of what the role decides, on every page, in as many statements', async () => {
    const [alice, bob] = await Promise.all([town.person('alice'), town.person('bob')]);
    await town.staff('mod', 'Moderator');
    const browser = await signedIn(town.server, 'mod');
    const count = async (): Promise<number> => {
      await browser.open('/admin/audit');
      return (await statementsOfRequests(town.app.db, () => browser.open('/admin/audit'))).length;
    };
    const before = await count();
    for (let each = 0; each < 3; each += 1) {
      await settled(town, alice.post<Report>('/api/v1/reports', { account_id: bob.id, comment: `${each}` }));
    }
    await applicant(town, 'applicant');
    const page = load(String((await browser.open('/admin/audit')).body));
    const badges = page
      .all('a')
      .filter(({ inside }) => inside.includes('nav.sidenav.console-nav'))
      .map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
    expect(badges).to.include('Reports 3').and.include('Sign-ups 1').and.not.include('Appeals');
    expect(await count()).to.equal(before);
  });
});
