import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createAlerts } from '#adapters/alerts/index.ts';
import { ALERT_NAMES, alertMetric } from '#mastodon/alerts.ts';
import type { AdminAlert } from '#mastodon/schemas/index.ts';
import { doneOf, signedIn } from '../account-pages/support.ts';
import { type Browser, locationOf } from '../oauth/client.ts';
import { describeTown, ok, type Person } from '../support/people.ts';
import { textIn } from '../web/notices-support.ts';
import { statementsOfPage } from './support.ts';

const ALERTS = '/api/v1/admin/alerts';
const HOST = 'big.example';
const OPS = join(import.meta.dirname, '../../ops');
const ops = (file: string): string => readFileSync(join(OPS, file), 'utf8');

describeTown('The alerts of the console', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let mod: Person;
  let browser: Browser;

  before(async () => {
    owner = await town.staff('owner', 'Owner');
    mod = await town.staff('mod', 'Moderator');
    await town.person('alice');
    browser = await signedIn(town.server, 'owner');
  });

  const evaluate = (): Promise<void> => {
    const { contextDependencies } = town.app;
    const { services, newId } = contextDependencies;
    return services.alerts.evaluate(new Date().toISOString(), newId);
  };
  /** Deliveries to a big server fail for some hours. */
  const fail = (): Promise<unknown> =>
    town.app.db.query(
      `insert into durable.federation_hosts (host, delivered, down_since, last_failure)
       values ($1, 5000, now() - interval '3 hours', 'connection refused')
       on conflict (host) do update set down_since = excluded.down_since`,
      [HOST],
    );
  const mend = (): Promise<unknown> =>
    town.app.db.query('update durable.federation_hosts set down_since = null where host = $1', [HOST]);
  const list = (query = ''): Promise<AdminAlert[]> => ok(owner.get<AdminAlert[]>(`${ALERTS}${query}`));
  const raised = async (): Promise<AdminAlert> => {
    await fail();
    await evaluate();
    const [alert] = await list('?state=open');
    return alert ?? expect.fail('no alert');
  };
  const metrics = async (): Promise<string> => (await fetch(`${town.url}/metrics`)).text();

  it('are raised once while their cause lasts, resolved when it is gone, and raised anew', async () => {
    const first = await raised();
    expect(first).to.include({ name: 'deliveries_failing', subject: HOST, resolved_at: null });
    expect(first.detail).to.contain('connection refused');
    await evaluate();
    expect((await list()).map(({ id }) => id)).to.deep.equal([first.id]);
    await mend();
    await evaluate();
    expect(await list('?state=open')).to.deep.equal([]);
    const [resolved] = await list('?state=resolved');
    expect(resolved?.resolved_at).to.be.a('string');
    const again = await raised();
    expect(again.id).not.to.equal(first.id);
    expect((await list('?limit=1')).map(({ id }) => id)).to.deep.equal([again.id]);
    expect((await list(`?max_id=${again.id}`)).map(({ id }) => id)).to.deep.equal([first.id]);
  });

  it('count only the time since the server began to watch, so a pause raises none', async () => {
    const { log, db, contextDependencies, logWitness: witness } = town.app;
    const { newId } = contextDependencies;
    const sources = { db, log, projections: [], folder: town.app.config.dataDir, witness };
    const now = Date.now() + 3_600_000;
    await db.query('delete from durable.log_checkpoints');
    const names = async (since: number): Promise<string[]> => {
      await createAlerts(sources, since).evaluate(new Date(now).toISOString(), newId);
      return (await list('?state=open')).map(({ name }) => name);
    };
    expect(await names(now - 500_000)).not.to.include('checkpoint_late');
    expect(await names(now - 700_000)).to.include('checkpoint_late');
    await evaluate();
    expect((await list('?state=open')).map(({ name }) => name)).not.to.include('checkpoint_late');
  });

  it('are in the metrics under their names, also those that are quiet', async () => {
    await raised();
    const text = await metrics();
    expect(text).to.contain(`alert_deliveries_failing{subject="${HOST}"} 1`);
    for (const name of ALERT_NAMES) expect(text).to.contain(`# TYPE alert_${name} gauge`);
    expect(text).to.contain('alert_disk_nearly_full{subject=""} 0');
  });

  it('have rules for Prometheus and a panel for Grafana with the same names', async () => {
    const rules = ops('prometheus-alerts.yml');
    expect([...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)).to.deep.equal([...ALERT_NAMES]);
    expect([...rules.matchAll(/expr: (\w+)/g)].map(([, name]) => name)).to.deep.equal(
      ALERT_NAMES.map(alertMetric),
    );
    const { panels } = JSON.parse(ops('grafana-dashboard.json')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const titles = panels.map(({ title }) => title);
    expect(titles).to.include.members([...ALERT_NAMES]);
    const there = new Set([...(await metrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name));
    const used = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr)));
    expect(used.filter((name) => !there.has(name))).to.deep.equal([]);
  });

  it('are acknowledged once, with a note, which the audit log records', async () => {
    const { id } = await raised();
    await browser.open(`/admin/alerts/${id}`);
    const done = await browser.submit(`/admin/alerts/${id}`, { note: 'They move today' });
    expect(locationOf(done)).to.equal('/admin/alerts?done=alert_acknowledged');
    const alert = await ok(owner.get<AdminAlert>(`${ALERTS}/${id}`));
    expect(alert).to.deep.include({
      note: 'They move today',
      acknowledged_by: { id: owner.id, username: 'owner' },
    });
    const [entry] = await ok(
      owner.get<{ targets: object[] }[]>('/api/v1/admin/audit?action[]=alert.acknowledged'),
    );
    expect(entry?.targets).to.deep.equal([{ type: 'alert', id, name: 'deliveries_failing' }]);
    expect(textIn(await browser.open('/admin/alerts')))
      .to.contain('by @owner')
      .and.to.contain('They move today');
    expect((await owner.post(`${ALERTS}/${id}/acknowledge`)).status).to.equal(409);
  });

  it('tell the second who acknowledged it', async () => {
    const { id } = await raised();
    const other = await signedIn(town.server, 'owner');
    await mend();
    await evaluate();
    const next = await raised();
    expect(next.id).not.to.equal(id);
    await other.open(`/admin/alerts/${next.id}`);
    await ok(owner.post(`${ALERTS}/${next.id}/acknowledge`));
    const second = await other.submit(`/admin/alerts/${next.id}`, { note: 'Me too' });
    const page = await other.open(locationOf(second));
    expect(doneOf(page)).to.contain('was faster');
    expect(textIn(page)).to.contain('by @owner').and.not.to.contain('Me too');
  });

  for (const [path, status] of [
    [`${ALERTS}?state=loud`, 422],
    [`${ALERTS}?limit=0`, 200],
    [`${ALERTS}?limit=201`, 200],
    [`${ALERTS}/1`, 404],
    [`${ALERTS}/abc`, 404],
  ] as const) {
    it(`answer ${status} to ${path}`, async () => {
      expect((await owner.get(path)).status).to.equal(status);
    });
  }

  it('refuse to acknowledge what is not there, and notes that are too long', async () => {
    const { id } = await raised();
    expect((await owner.post(`${ALERTS}/1/acknowledge`)).status).to.equal(404);
    expect((await owner.post(`${ALERTS}/${id}/acknowledge`, { note: 'x'.repeat(1_001) })).status).to.equal(
      422,
    );
    expect((await browser.open('/admin/alerts/abc')).status).to.equal(404);
  });

  it('are closed to users without a role, and to roles without the permission', async () => {
    const { id } = await raised();
    for (const [username, status] of [
      ['alice', 404],
      ['mod', 403],
    ] as const) {
      const other = await signedIn(town.server, username);
      for (const page of ['/admin/alerts', `/admin/alerts/${id}`]) {
        expect((await other.open(page)).status, page).to.equal(status);
      }
    }
    expect((await mod.get(ALERTS)).status).to.equal(403);
    expect((await mod.post(`${ALERTS}/${id}/acknowledge`)).status).to.equal(403);
    expect((await town.nobody.get(ALERTS)).status).to.equal(403);
  });

  it('cost at most six statements a page', async () => {
    const { id } = await raised();
    for (const page of ['/admin/alerts', `/admin/alerts/${id}`]) {
      await browser.open(page);
      const statements = await statementsOfPage(town.app.db, () => browser.open(page));
      expect(statements.length, `${page}: ${statements.join(' ')}`).to.be.at.most(6);
    }
  });
});

/** Words of PromQL that are no metrics. */
const WORDS = new Set(['max', 'sum', 'by', 'rate', 'le', 'status', 'outcome', 'histogram_quantile', 'm']);

/** Returns the names of the metrics in an expression; a histogram is one metric. */
const namesIn = (expr: string): string[] =>
  [...expr.matchAll(/[a-z_]+/g)]
    .map(([name]) => name.replace(/_bucket$/, ''))
    .filter((name) => !WORDS.has(name));
