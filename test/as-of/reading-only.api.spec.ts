import { expect } from 'chai';
import { buildPast, openPast, pointAt, type When } from '#app/as-of/index.ts';
import { account } from '#commands/accounts/index.ts';
import { changeSettings } from '#commands/instance/index.ts';
import { accountStream, type UserRole } from '#events/accounts.ts';
import type { AdminIpBlock, Filter, Poll, Relationship, Status } from '#mastodon/schemas/index.ts';
import { projections } from '#projections/index.ts';
import { dropAsOf, dropErased, listAsOf } from '#storage/postgres/rebuild/as-of.ts';
import { eventually } from '../support/eventually.ts';
import { failureOf } from '../support/failure.ts';
import { describeTown, type Person } from '../support/people.ts';
import { type Served, servePast } from './served.ts';

const NO_CHANGES = { error: 'This server shows the past: it takes no changes' };
const HOUR = 3_600_000;

describeTown('A past server', (town) => {
  let alice: Person;
  let bob: Person;
  let admin: Person;
  const open: Served[] = [];
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
    bob = await town.person('bob');
    admin = await town.staff('admin', 'Admin');
  });
  afterEach(async () => {
    for (const served of open.splice(0)) await served.close();
  });

  const serve = async (position?: bigint, moment?: string): Promise<Served> => {
    await town.waitUntilIdle();
    const served = await servePast(town.app, position ?? (await town.events()), moment);
    open.push(served);
    return served;
  };
  const post = async (who: Person, status: string, more: object = {}): Promise<Status> =>
    (await who.post<Status>('/api/v1/statuses', { status, ...more })).json;
  const give = async ({ id }: Person, role: UserRole | null): Promise<void> => {
    await town.app
      .systemContext('spec')
      .execute(accountStream(id), account, () => [
        { type: 'UserRoleChanged' as const, data: { account_id: id, role } },
      ]);
    town.app.tokens.forget(id);
    await town.waitUntilIdle();
  };

  it('shows posts deleted since, and no posts created since', async () => {
    const early = await post(bob, 'Early');
    const served = await serve();
    await bob.delete(`/api/v1/statuses/${early.id}`);
    const late = await post(bob, 'Late');
    expect((await served.get(`/api/v1/statuses/${early.id}`)).body).to.deep.include({ id: early.id });
    expect((await served.get(`/api/v1/statuses/${late.id}`)).status).to.equal(404);
    const { headers } = await served.get(`/api/v1/accounts/${bob.id}/statuses?limit=1`);
    expect(headers.get('memento-datetime')).to.equal(new Date(served.past.moment).toUTCString());
    // Not an address of the present server.
    expect(headers.get('link')).to.contain(`<${served.url}/api/v1/accounts/`);
  });

  it('refuses all changes, and records nothing in the log or the database', async () => {
    const status = await post(alice, 'Before');
    const served = await serve();
    const before = await town.events();
    const asked: [string, string][] = [
      ['POST', '/api/v1/statuses'],
      ['POST', `/api/v1/statuses/${status.id}/favourite`],
      ['PUT', `/api/v1/statuses/${status.id}`],
      ['DELETE', `/api/v1/statuses/${status.id}`],
      ['PATCH', '/api/v1/accounts/update_credentials'],
      ['POST', '/api/v1/apps'],
      ['POST', '/api/v2/media'],
      ['POST', '/oauth/token'],
      ['POST', '/nowhere'],
    ];
    for (const [method, path] of asked) {
      const headers = { 'Idempotency-Key': 'past' };
      const answer = await served.call(method, path, { token: alice.token, headers });
      expect([answer.status, answer.body], `${method} ${path}`).to.deep.equal([403, NO_CHANGES]);
    }
    const stream = await served.get('/api/v1/streaming/user', alice.token);
    expect(stream.status).to.equal(403);
    expect(stream.body.error).to.match(/nothing happens there any more/);
    expect((await served.call('OPTIONS', '/api/v1/statuses')).status).to.equal(204);
    for (const path of [
      '/oauth/authorize',
      '/auth/confirmation?confirmation_token=x',
      '/auth/sign_in',
      '/auth/sign_up',
      '/auth/password/new',
      '/auth/email?confirmation_token=x',
      '/settings',
      '/users/alice',
      '/metrics',
    ])
      expect((await served.get(path)).status, path).to.equal(404);

    const far = { 'X-Forwarded-For': '203.0.113.77' };
    const seen = await served.call('GET', '/api/v1/timelines/home', { token: alice.token, headers: far });
    expect(seen.status).to.equal(200);
    await town.waitUntilIdle();
    expect(await town.events()).to.equal(before);
    const { db } = town.app;
    expect(await db.query(`select from durable.account_addresses where ip = '203.0.113.77'`)).to.deep.equal(
      [],
    );
    expect(await db.query('select from durable.idempotency_keys')).to.deep.equal([]);
  });

  it('cannot write in any way', async () => {
    const { past } = await serve();
    const { db, execute } = past.contextDependencies;
    const writes = [
      'delete from accounts',
      'insert into durable.rankings values ($1, 1, $1)',
      'create table readmodels.mine (n int)',
    ];
    for (const text of writes) {
      expect(await failureOf(db.query(text, text.includes('$1') ? ['x'] : [])), text).to.equal('forbidden');
    }
    expect(await failureOf(execute({} as Parameters<typeof execute>[0]))).to.equal('forbidden');
    const { services } = past.contextDependencies;
    expect(await failureOf(services.personalData.erase(alice.id))).to.equal('forbidden');
    expect(await services.resolver.resolve('@alice')).to.deep.equal({ account: alice.id });
  });

  it('uses the tokens and roles of today', async () => {
    const former = await town.staff('former', 'Moderator');
    await alice.post('/api/v1/reports', { account_id: bob.id, comment: 'Eggs' });
    await town.waitUntilIdle();
    const position = await town.events();
    await give(former, null);
    await give(bob, 'Moderator');
    const late = await town.person('late');
    const auditor = await town.app.tokens.issue({
      applicationId: '1',
      accountId: bob.id,
      scopes: ['read', 'admin:read'],
    });
    const served = await serve(position);
    const reports = await served.get('/api/v1/admin/reports', auditor.access_token);
    expect([reports.status, reports.body.length]).to.deep.equal([200, 1]);
    expect((await served.get('/api/v1/admin/reports', former.token)).status).to.equal(403);
    const before = await served.get('/api/v1/timelines/home', late.token);
    expect([before.status, before.body]).to.deep.equal([
      403,
      { error: 'Your account did not exist yet at the time that this server shows' },
    ]);
    expect((await served.get('/api/v1/timelines/home', 'no such token')).status).to.equal(401);
    expect((await served.get('/api/v1/timelines/home')).status).to.equal(401);
    await town.app.tokens.revokeAllOf(bob.id);
    // The other process learns of the revocation by a notification.
    await eventually(async () => {
      expect((await served.get('/api/v1/admin/reports', auditor.access_token)).status).to.equal(401);
    });
  });

  it('uses the clock of the past, so that mutes, polls and filters have not expired', async () => {
    const carol = await town.person('carol');
    await alice.post(`/api/v1/accounts/${carol.id}/mute`, { duration: 3_600 });
    const { json: filter } = await alice.post<Filter>('/api/v2/filters', {
      title: 'Cats',
      context: ['home'],
      expires_in: 3_600,
      keywords_attributes: [{ keyword: 'cat' }],
    });
    const poll = { options: ['yes', 'no'], expires_in: 3_600 };
    const status = await post(carol, 'A cat?', { poll });
    const tagged = await post(carol, 'On #clocks');
    const then = await serve();
    const later = await serve(
      then.past.position,
      new Date(Date.parse(then.past.moment) + 24 * HOUR).toISOString(),
    );
    const seen = async ({ get }: Served) => {
      const [relationship] = (await get(`/api/v1/accounts/relationships?id[]=${carol.id}`, alice.token))
        .body as Relationship[];
      const { poll: seenPoll, filtered } = (await get(`/api/v1/statuses/${status.id}`, alice.token))
        .body as Status & { poll: Poll };
      const [day] = (await get('/api/v1/tags/clocks')).body.history;
      return {
        muting: relationship?.muting,
        expired: seenPoll.expired,
        filters: filtered?.map((result) => result.filter.id),
        uses: day.uses,
      };
    };
    expect(tagged.tags).to.have.length(1);
    expect(await seen(then)).to.deep.equal({ muting: true, expired: false, filters: [filter.id], uses: '1' });
    expect(await seen(later)).to.deep.equal({ muting: false, expired: true, filters: [], uses: '0' });
  });

  it('counts the trends of the past', async () => {
    const dora = await town.person('dora', { discoverable: true });
    const liked = await post(dora, 'Popular');
    const fans = await Promise.all(['fan1', 'fan2'].map((name) => town.person(name)));
    for (const reader of [alice, admin, ...fans]) {
      await reader.post(`/api/v1/statuses/${liked.id}/favourite`);
    }
    await alice.post(`/api/v1/statuses/${liked.id}/reblog`);
    await changeSettings(town.app.systemContext('spec'), { trendable_by_default: true });
    const served = await serve();
    await alice.post(`/api/v1/statuses/${liked.id}/unfavourite`);
    const trends = (await served.get('/api/v1/trends/statuses')).body as Status[];
    expect(trends.map(({ id, favourites_count: count }) => [id, count])).to.deep.equal([[liked.id, 4]]);
  });

  it('exists only for points within the log', async () => {
    const { log } = town.app;
    const head = await town.events();
    const problem = (when: When): Promise<unknown> =>
      pointAt(log, when).then(
        () => 'none',
        (error: unknown) => (error as Error).message,
      );
    const beyond = `The log has no event at position ${head + 1n}; it ends at ${head}`;
    expect(await problem({ position: head + 1n })).to.equal(beyond);
    expect(await problem({ position: 0n })).to.match(/^The log has no event at position 0;/);
    expect(await problem({ time: Date.now() + HOUR })).to.equal('That time is still to come');
    expect(await problem({ time: 0 })).to.equal('The log begins after that time');
  });

  it('shows anything only to staff unless the operator allows more', async () => {
    const status = await post(alice, 'For everybody, then');
    await town.waitUntilIdle();
    const served = await servePast(town.app, await town.events(), undefined, 'staff');
    open.push(served);
    const path = `/api/v1/statuses/${status.id}`;
    for (const asked of [path, '/api/v1/timelines/public', '/media/x.png', '//', '/nowhere'])
      expect((await served.get(asked)).status, asked).to.equal(401);
    expect((await served.get(path)).body.error).to.contain('access token');
    expect((await served.get(path, 'no such token')).status).to.equal(401);
    expect((await served.get(`${path}?access_token=${alice.token}`)).status).to.equal(403);
    expect((await served.get(path, alice.token)).body).to.deep.equal({
      error: 'This server shows the past to staff only',
    });
    expect((await served.get(path, admin.token)).body).to.deep.include({ id: status.id });
    expect((await served.get(`${path}?access_token=${admin.token}`)).status).to.equal(200);
    expect((await served.get('/health')).status).to.equal(200);
    expect((await served.call('OPTIONS', path)).status).to.equal(204);
  });

  it('keeps its read models while it runs, and lists them', async () => {
    const { past } = await serve();
    const { position } = past;
    const { db, projectionDb } = town.app;
    const listed = async (known = projections) =>
      (await listAsOf(db, known)).find((each) => each.position === position);
    expect(await listed()).to.deep.include({ state: 'ready', served: true, schema: `as_of_${position}` });
    expect((await listed())?.bytes).to.be.greaterThan(100_000);
    expect(await failureOf(dropAsOf(projectionDb, position))).to.equal('conflict');
    // Another version of the program would rebuild it, and must not do so now either.
    expect(await listed([])).to.deep.include({ state: 'outdated' });
    const [first, ...others] = projections;
    const changed = { ...(first ?? expect.fail()), tables: { ...first?.tables, more: 'id bigint' } };
    expect(await listed([changed, ...others])).to.deep.include({ state: 'outdated' });
    for (const served of open.splice(0)) await served.close();
    await dropAsOf(projectionDb, position);
    expect(await listed()).to.equal(undefined);
    expect(await failureOf(dropAsOf(projectionDb, position))).to.equal('not_found');
    const point = await pointAt(town.app.log, { position });
    expect(await openPast(town.app.config, town.app.config.database.url ?? '', point)).to.equal(undefined);
  });

  it('shows staff what an account saw that is suspended by now', async () => {
    const dora = await town.person('dorothea');
    await dora.post(`/api/v1/accounts/${alice.id}/follow`);
    const seen = await post(alice, 'For followers', { visibility: 'private' });
    await town.waitUntilIdle();
    const position = await town.events();
    await town.suspend(dora);
    await town.waitUntilIdle();
    const served = await servePast(town.app, position, undefined, 'staff', {
      id: dora.id,
      username: 'dorothea',
    });
    open.push(served);
    const home = '/api/v1/timelines/home';
    expect((await served.get(home, admin.token)).body).to.deep.include.members([
      (await served.get(`/api/v1/statuses/${seen.id}`, admin.token)).body,
    ]);
    const me = await served.get('/api/v1/accounts/verify_credentials', admin.token);
    expect(me.body).to.include({ username: 'dorothea' });
    expect((await served.get('/api/v1/admin/accounts', admin.token)).status).to.equal(403);
    expect((await served.get(home, alice.token)).status).to.equal(403);
    expect((await served.get(home)).status).to.equal(401);
  });

  it('names what is left out, and marks rankings, which are computed anew', async () => {
    const served = await serve();
    for (const path of ['/@alice', '/@alice.rss', '/settings', '/users/alice']) {
      const { status, body } = await served.get(path);
      expect([status, body], path).to.deep.equal([
        404,
        { error: 'This server shows the past over the API only: pages and feeds are left out' },
      ]);
    }
    const trends = await served.get('/api/v1/trends/statuses');
    expect(trends.headers.get('rookery-recomputed')).to.equal('rankings');
    const timeline = await served.get('/api/v1/timelines/public');
    expect(timeline.headers.get('rookery-recomputed')).to.equal(null);
  });

  it('ends when data is erased, and does not bring the data back', async () => {
    const { json: block } = await admin.post<AdminIpBlock>('/api/v1/admin/ip_blocks', {
      ip: '198.51.100.7',
      severity: 'sign_up_block',
      comment: 'Somebody',
    });
    const { past, get } = await serve();
    const { position } = past;
    const blocks = await get('/api/v1/admin/ip_blocks', admin.token);
    expect(blocks.body).to.deep.equal([block]);
    const over = new Promise((resolve) => past.ended.addEventListener('abort', resolve));
    await admin.delete(`/api/v1/admin/ip_blocks/${block.id}`);
    await town.waitUntilIdle();
    await over;
    expect((past.ended.reason as Error).message).to.match(/^Something was erased/);
    const { db } = town.app;
    expect((await listAsOf(db, projections)).map((each) => each.position)).not.to.include(position);
    for (const served of open.splice(0)) await served.close();
    const anew = await serve(position);
    // The range is erased, so that the block is left out.
    expect((await anew.get('/api/v1/admin/ip_blocks', admin.token)).body).to.deep.equal([]);
  });

  it('drops the remains of interrupted builds', async () => {
    const { db, projectionDb, log } = town.app;
    await projectionDb.query('create schema as_of_3; create table as_of_3.accounts (id bigint)');
    const states = async () =>
      (await listAsOf(db, projections)).map(({ position, state }) => ({ position, state }));
    expect(await states()).to.deep.include({ position: 3n, state: 'unfinished' });
    await dropErased(db);
    expect(await states()).not.to.deep.include({ position: 3n, state: 'unfinished' });
    await projectionDb.query('create schema as_of_3; create table as_of_3.accounts (id bigint)');
    await buildPast({ log, db: projectionDb, point: await pointAt(log, { position: 3n }) });
    expect(await states()).to.deep.include({ position: 3n, state: 'ready' });
    await dropAsOf(projectionDb, 3n);
  });
});
