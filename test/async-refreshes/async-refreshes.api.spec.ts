import { expect } from 'chai';
import type { AsyncRefreshes } from '#kernel/services/async-refresh.ts';
import { describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

const PATH = '/api/v1_alpha/async_refreshes';

describeTown('Async refreshes', (town) => {
  let alice: Person;
  let bob: Person;
  let refreshes: AsyncRefreshes;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    refreshes = town.app.contextDependencies.services.asyncRefreshes;
  });

  const begin = async (key: string, pause = 0, counts = true) => {
    const begun = await refreshes.begin(key, { pause, counts });
    if (!begun) throw new Error('Nothing begins');
    return begun;
  };
  const shown = async (who: Person, id: string): Promise<unknown> => {
    const { status, json } = await who.get<{ async_refresh: unknown }>(`${PATH}/${id}`);
    expect(status).to.equal(200);
    return json.async_refresh;
  };
  /** Moves the times of a refresh this far to the past. */
  const age = (id: string, interval: string): Promise<unknown> =>
    town.app.db.query(
      `update durable.async_refreshes set started_at = started_at - $2::interval,
         finished_at = finished_at - $2::interval where id = $1`,
      [id, interval],
    );

  it('show their progress to any user who knows the id', async () => {
    const { refresh, begun } = await begin('one');
    const { id } = refresh;
    expect(begun).to.equal(true);
    expect(id).to.match(/^[\w-]{32}$/);
    for (const who of [alice, bob]) {
      expect(await shown(who, id)).to.deep.equal({ id, status: 'running', result_count: 0 });
    }
    await refreshes.count(id);
    await refreshes.count(id);
    expect(await shown(bob, id)).to.deep.equal({ id, status: 'running', result_count: 2 });
    await refreshes.finish(id);
    expect(await shown(bob, id)).to.deep.equal({ id, status: 'finished', result_count: 2 });
  });

  it('run once for each key, and start again only after a pause', async () => {
    const minute = 60_000;
    const first = await begin('two', minute, false);
    expect(first.refresh).to.include({ status: 'running', result_count: null });
    expect(await begin('two', minute, false)).to.deep.equal({ refresh: first.refresh, begun: false });
    expect((await begin('other', minute)).begun).to.equal(true);
    const { id } = first.refresh;
    await refreshes.finish(id);
    expect(await refreshes.running('two')).to.equal(undefined);
    expect(await refreshes.begin('two', { pause: minute, counts: false })).to.equal(undefined);
    await age(id, '2 minutes');
    const second = await begin('two', minute, false);
    expect(second.begun).to.equal(true);
    expect(second.refresh.id).not.to.equal(id);
    // The second refresh replaced the first one.
    expect((await alice.get(`${PATH}/${id}`)).status).to.equal(404);
  });

  it('count as finished after a long silence', async () => {
    const { refresh } = await begin('three');
    await age(refresh.id, '11 minutes');
    expect(await shown(alice, refresh.id)).to.include({ status: 'finished' });
    expect(await refreshes.running('three')).to.equal(undefined);
    expect((await begin('three')).begun).to.equal(true);
  });

  it('are deleted after a day', async () => {
    const old = await begin('old');
    await age(old.refresh.id, '25 hours');
    const { refresh } = await begin('new');
    await refreshes.finish(refresh.id);
    expect((await alice.get(`${PATH}/${old.refresh.id}`)).status).to.equal(404);
    expect(await shown(alice, refresh.id)).to.include({ status: 'finished' });
  });

  it('are not found under other ids', async () => {
    for (const id of ['1', 'context:1', 'x'.repeat(300), '%00', "'"]) {
      expect((await alice.get(`${PATH}/${id}`)).status, id).to.equal(404);
    }
  });

  it('require a user token that may read everything', async () => {
    const { refresh } = await begin('scope');
    await expectScope(town, alice, (who) => who.get(`${PATH}/${refresh.id}`), {
      enough: ['read'],
      others: ['write', 'read:statuses'],
    });
  });
});
