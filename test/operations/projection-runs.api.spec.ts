import { expect } from 'chai';
import type { AdminProjectionRun, AuditEntry } from '#mastodon/schemas/index.ts';
import { LOCKS } from '#storage/postgres/locks.ts';
import { eventually } from '../support/eventually.ts';
import { describeTown, ok, type Person } from '../support/people.ts';

interface Event {
  event: string;
  data: Record<string, unknown>;
}

describeTown('Rebuilds and verifications over the API', function (town) {
  this.timeout(60_000);
  let owner: Person;
  let mod: Person;
  before(async () => {
    owner = await town.staff('owner', 'Owner');
    mod = await town.staff('mod', 'Moderator');
    await owner.post('/api/v1/statuses', { status: 'a post' });
    await town.waitUntilIdle();
  });

  const post = (name: string, what: string, person = owner): Promise<Response> =>
    fetch(`${town.url}/api/v1/admin/projections/${name}/${what}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${person.token}` },
    });
  const events = (text: string): Event[] =>
    text
      .trim()
      .split('\n\n')
      .map((block) => {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        return { event, data: JSON.parse(data) as Record<string, unknown> };
      });

  for (const what of ['rebuild', 'verify']) {
    it(`send the progress of a ${what} as server-sent events, and its end`, async () => {
      const response = await post('statuses', what);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.match(/^text\/event-stream/);
      const sent = events(await response.text());
      expect(sent.map(({ event }) => event)).to.include('progress');
      expect(sent.at(-1)).to.deep.equal({ event: 'done', data: { differences: [] } });
      const { data } = sent.find(({ event }) => event === 'progress') ?? expect.fail('no progress');
      expect(data).to.have.keys('position', 'head', 'events');
    });
  }

  it('name the tables and rows that are not what the log says', async () => {
    await town.app.projectionDb.query(`update statuses set plain = plain || '!' where text = 'a post'`);
    const [last] = events(await (await post('statuses', 'verify')).text()).slice(-1);
    const [difference] = last?.data['differences'] as { table: string; rows: { kind: string }[] }[];
    expect([difference?.table, difference?.rows.map(({ kind }) => kind)]).to.deep.equal([
      'statuses',
      ['changed'],
    ]);
    const [rebuilt] = events(await (await post('statuses', 'rebuild')).text()).slice(-1);
    expect(rebuilt?.data['differences']).to.have.length(1);
    const [mended] = events(await (await post('statuses', 'verify')).text()).slice(-1);
    expect(mended?.data['differences']).to.deep.equal([]);
  });

  it('are among the builds on record, and are cancelled when the client disconnects', async () => {
    await town.app.projectionDb.transaction(async (lock) => {
      await lock.query(`select pg_advisory_xact_lock(${LOCKS.rebuild})`);
      const response = await post('statuses', 'rebuild');
      const newest = async () =>
        (await ok(owner.get<AdminProjectionRun[]>('/api/v1/admin/projections/runs?limit=1')))[0];
      expect(await newest()).to.include({ name: 'statuses', kind: 'rebuild', state: 'running' });
      await response.body?.cancel();
      await eventually(async () => expect((await newest())?.state).to.equal('cancelled'));
    });
    await town.waitUntilIdle();
    const entries = await ok(owner.get<AuditEntry[]>('/api/v1/admin/audit?limit=2'));
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'projection.run_cancelled',
      'projection.run_started',
    ]);
  });

  it('say that another client has cancelled them', async () => {
    await town.app.projectionDb.transaction(async (lock) => {
      await lock.query(`select pg_advisory_xact_lock(${LOCKS.rebuild})`);
      const response = await post('statuses', 'rebuild');
      const [run] = await ok(owner.get<AdminProjectionRun[]>('/api/v1/admin/projections/runs?limit=1'));
      await ok(owner.post(`/api/v1/admin/projections/runs/${run?.id}/cancel`));
      expect(events(await response.text()).at(-1)).to.deep.equal({
        event: 'failed',
        data: { error: 'The build was cancelled' },
      });
    });
  });

  it('are refused for other staff, unknown read models, and while another one runs', async () => {
    expect((await post('statuses', 'rebuild', mod)).status).to.equal(403);
    const unknown = await post('nope', 'rebuild');
    expect([unknown.status, await unknown.json()]).to.have.nested.property('[0]', 404);
    const both = await Promise.all([post('statuses', 'verify'), post('accounts', 'verify')]);
    const texts = await Promise.all(both.map((each) => each.text()));
    expect(both.map(({ status }) => status).sort(), texts.join()).to.deep.equal([200, 409]);
  });
});
