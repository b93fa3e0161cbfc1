import { expect } from 'chai';
import { changeSettings } from '#commands/instance/index.ts';
import type { AnnualReport, Instance, Status } from '#mastodon/schemas/index.ts';
import { eventually } from '../support/eventually.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

const PATH = '/api/v1/annual_reports';

interface Wrapped {
  annual_reports: AnnualReport[];
  accounts: { id: string }[];
  statuses: { id: string }[];
}

describeTown('Annual reports', (town) => {
  let alice: Person;
  let bob: Person;
  let top: Status;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    await post({ status: '#Cats, and #dogs' });
    top = await post({ status: 'more #Cats' });
    const secret = await post({ status: '#secret #secret2', visibility: 'private' });
    await post({ status: '#secret again', visibility: 'private', in_reply_to_id: secret.id });
    await post({ status: '@alice #secret2', visibility: 'direct' });
    for (const [who, id] of [
      [bob, top.id],
      [alice, secret.id],
    ] as const) {
      expect((await who.post(`/api/v1/statuses/${id}/reblog`)).status).to.equal(200);
    }
    expect((await bob.post(`/api/v1/accounts/${alice.id}/follow`)).status).to.equal(200);
    await town.waitUntilIdle();
  });

  const post = async (body: object): Promise<Status> => {
    const { status, json } = await alice.post<Status>('/api/v1/statuses', body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const offer = (annual_reports: 'december' | 'always' | 'never'): Promise<unknown> =>
    changeSettings(town.app.systemContext('spec'), { annual_reports });
  /** Returns the year that is offered. */
  const campaign = async (): Promise<string | null | undefined> =>
    (await town.nobody.get<Instance>('/api/v2/instance')).json.wrapstodon;
  const state = async (who: Client, year: string | number): Promise<string> => {
    const { status, json } = await who.get<{ state: string }>(`${PATH}/${year}/state`);
    expect(status).to.equal(200);
    return json.state;
  };
  const asked = (method: string, path: string): Promise<Response> =>
    fetch(`${town.url}${PATH}${path}`, { method, headers: { Authorization: `Bearer ${alice.token}` } });

  let year = '';

  it("are offered by the operator's setting to users who posted in that year", async () => {
    await offer('never');
    expect(await campaign()).to.equal(null);
    await offer('always');
    year = (await campaign()) ?? '';
    expect(year).to.match(/^20[0-9]{2}$/);
    expect(await state(alice, year)).to.equal('eligible');
    expect(await state(bob, year)).to.equal('ineligible');
    expect(await state(alice, Number(year) - 1)).to.equal('ineligible');
    await offer('never');
    expect(await state(alice, year)).to.equal('ineligible');
  });

  it('are not generated when they are not offered', async () => {
    const before = await town.events();
    expect((await asked('POST', `/${year}/generate`)).status).to.equal(200);
    await offer('always');
    expect((await asked('POST', `/${Number(year) - 1}/generate`)).status).to.equal(200);
    expect((await bob.post(`${PATH}/${year}/generate`)).status).to.equal(200);
    for (const path of [`/${year}`, `/${Number(year) - 1}`]) {
      expect((await asked('GET', path)).status).to.equal(404);
    }
    expect((await asked('POST', `/${year}/read`)).status).to.equal(404);
    // The one event is the changed setting.
    expect(await town.events()).to.equal(before + 1n);
    expect((await alice.get<Wrapped>(PATH)).json).to.deep.equal({
      annual_reports: [],
      accounts: [],
      statuses: [],
    });
  });

  it('show their progress while they are generated', async () => {
    const { asyncRefreshes } = town.app.contextDependencies.services;
    const begun = await asyncRefreshes.begin(`annual-report:${alice.id}:${year}`, {
      pause: 0,
      counts: false,
    });
    const header = `id="${begun?.refresh.id}", retry=2`;
    const shown = await asked('GET', `/${year}/state`);
    expect(await shown.json()).to.deep.equal({ state: 'generating' });
    expect(shown.headers.get('mastodon-async-refresh')).to.equal(header);
    const again = await asked('POST', `/${year}/generate`);
    expect([again.status, again.headers.get('mastodon-async-refresh')]).to.deep.equal([202, header]);
    await asyncRefreshes.finish(begun?.refresh.id ?? '');
    expect(await state(alice, year)).to.equal('eligible');
  });

  it('are generated in the background with the figures of the year', async () => {
    const begun = await asked('POST', `/${year}/generate`);
    expect([begun.status, await begun.json()]).to.deep.equal([202, {}]);
    const id = /id="([^"]+)"/.exec(begun.headers.get('mastodon-async-refresh') ?? '')?.[1] ?? '';
    await eventually(async () => expect(await state(alice, year)).to.equal('available'));
    await eventually(async () => {
      const { json } = await alice.get(`/api/v1_alpha/async_refreshes/${id}`);
      expect(json).to.deep.equal({ async_refresh: { id, status: 'finished', result_count: null } });
    });
    const { status, json } = await alice.get<Wrapped>(`${PATH}/${year}`);
    expect(status).to.equal(200);
    const [report, ...more] = json.annual_reports;
    expect(more).to.deep.equal([]);
    expect(report).to.include({
      year: Number(year),
      schema_version: 2,
      share_url: null,
      account_id: alice.id,
    });
    const { archetype, time_series = [], top_hashtags, top_statuses } = report?.data ?? {};
    expect(archetype).to.equal('lurker');
    expect(time_series.map(({ month }) => month)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const sum = (name: 'statuses' | 'followers') => time_series.reduce((all, each) => all + each[name], 0);
    expect([sum('statuses'), sum('followers')]).to.deep.equal([6, 1]);
    expect(top_hashtags).to.deep.equal([{ name: 'Cats', count: 2 }]);
    expect(top_statuses).to.deep.equal({ by_reblogs: top.id, by_replies: null, by_favourites: null });
    expect(json.accounts.map((account) => account.id)).to.deep.equal([alice.id]);
    expect(json.statuses.map((each) => each.id)).to.deep.equal([top.id]);
    expect((await alice.get<Wrapped>(PATH)).json).to.deep.equal(json);
  });

  it('are generated once and marked as read once', async () => {
    await town.waitUntilIdle();
    const before = await town.events();
    expect((await asked('POST', `/${year}/generate`)).status).to.equal(200);
    expect(await town.events()).to.equal(before);
    for (const _ of [1, 2]) {
      const { status, json } = await alice.post(`${PATH}/${year}/read`);
      expect([status, json]).to.deep.equal([200, {}]);
    }
    expect(await town.events()).to.equal(before + 1n);
    expect((await alice.get<Wrapped>(PATH)).json.annual_reports).to.have.length(1);
  });

  it('remain when they are no longer offered and when their posts are deleted', async () => {
    await offer('never');
    expect(await state(alice, year)).to.equal('available');
    expect((await alice.delete(`/api/v1/statuses/${top.id}`)).status).to.equal(200);
    const { json } = await alice.get<Wrapped>(`${PATH}/${year}`);
    expect(json.annual_reports[0]?.data.top_statuses.by_reblogs).to.equal(top.id);
    expect(json.statuses).to.deep.equal([]);
  });

  it('belong to their account alone', async () => {
    expect((await bob.get<Wrapped>(PATH)).json.annual_reports).to.deep.equal([]);
    expect((await bob.get(`${PATH}/${year}`)).status).to.equal(404);
    expect((await bob.post(`${PATH}/${year}/read`)).status).to.equal(404);
  });

  it('answer 404 to anything but a year', async () => {
    for (const wrong of ['abc', '0', '20266', '-2026', '2026.5', '0999', '99999999999999999999']) {
      expect((await asked('GET', `/${wrong}`)).status, wrong).to.equal(404);
      expect(await state(alice, wrong), wrong).to.equal('ineligible');
      for (const path of [`/${wrong}/generate`, `/${wrong}/read`]) {
        expect((await asked('POST', path)).status, path).to.equal(404);
      }
    }
  });

  it('require a user token with the scope', async () => {
    for (const path of [PATH, `${PATH}/${year}`, `${PATH}/${year}/state`]) {
      await expectScope(town, alice, (who) => who.get(path), {
        enough: ['read', 'read:accounts'],
        others: ['write', 'read:statuses'],
      });
    }
    for (const action of ['generate', 'read']) {
      await expectScope(town, alice, (who) => who.post(`${PATH}/${year}/${action}`), {
        enough: ['write', 'write:accounts'],
        others: ['read', 'write:statuses'],
      });
    }
  });
});
