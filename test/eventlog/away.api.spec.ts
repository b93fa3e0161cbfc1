import { expect } from 'chai';
import type { AdminHealth } from '#mastodon/schemas/index.ts';
import {
  DOUBLE_VERSION,
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from '../contracts/support/eventstoredb-double.ts';
import { ok, type Person, startTown, type Town } from '../support/people.ts';

describe('The API while the log is unavailable', function () {
  this.timeout(60_000);
  let double: EventStoreDbDouble;
  let town: Town;
  let alice: Person;
  let admin: Person;
  let healthBefore: AdminHealth;
  before(async () => {
    double = await startEventStoreDbDouble();
    town = await startTown({ EVENTSTORE_URL: double.url });
    alice = await town.person('alice');
    admin = await town.staff('admin', 'Owner');
    await alice.post('/api/v1/statuses', { status: 'before' });
    await town.app.transparencyLog.record();
    await town.waitUntilIdle();
    healthBefore = await ok(admin.get<AdminHealth>('/api/v1/admin/health'));
    await double.kill();
  });
  after(async () => {
    await double.restart();
    await town.close();
    await double.kill();
  });

  const refusals: [string, { method: string; path: string; body?: string }][] = [
    ['a post', { method: 'POST', path: '/api/v1/statuses', body: JSON.stringify({ status: 'x' }) }],
    ['a proof', { method: 'GET', path: '/api/v1/admin/audit/proof?position=1' }],
    ['a stream', { method: 'GET', path: '/api/v1/streaming/user' }],
  ];
  for (const [what, request] of refusals) {
    it(`answers a request for ${what} with the time to retry`, async () => {
      const { path, ...options } = request;
      const response = await fetch(town.url + path, {
        ...options,
        headers: { Authorization: `Bearer ${admin.token}`, 'Content-Type': 'application/json' },
      });
      expect(response.status).to.equal(503);
      expect(response.headers.get('retry-after')).to.equal('5');
      expect(await response.json()).to.deep.equal({ error: 'The event log cannot be reached' });
    });
  }

  it('still serves reads', async () => {
    const { status, json } = await alice.get<{ content: string }[]>('/api/v1/timelines/home');
    expect(status).to.equal(200);
    expect(json.map(({ content }) => content)).to.deep.equal(['<p>before</p>']);
  });

  it('shows the version of the log to staff only while the log answers', async () => {
    const versionIn = ({ versions }: AdminHealth) =>
      versions.find(({ key }) => key === 'eventstoredb')?.version;
    expect([healthBefore.event_log, versionIn(healthBefore)]).to.deep.equal(['eventstoredb', DOUBLE_VERSION]);
    expect(versionIn(await ok(admin.get<AdminHealth>('/api/v1/admin/health')))).to.equal(undefined);
  });

  it('reports unhealthy, and names the log', async () => {
    const response = await fetch(`${town.url}/health`);
    expect(response.status).to.equal(503);
    expect(await response.json()).to.deep.equal({ status: 'DOWN', failing: ['log'] });
  });
});
