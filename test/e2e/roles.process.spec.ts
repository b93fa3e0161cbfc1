import { expect } from 'chai';
import { listen } from '../streaming/support.ts';
import { healthOf, type Reply, send, signUp } from '../support/api-client.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import {
  differences,
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

const redisUrl = process.env['TEST_REDIS_URL'];

describe(`Several processes on one database (${redisUrl ? 'with' : 'without'} Redis)`, function () {
  this.timeout(60_000);
  let common: Settings;
  let first: RookeryProcess;
  let second: RookeryProcess;
  let projector: RookeryProcess | undefined;
  let alice: string;
  let bob: string;

  const folder = (): string => common['DATA_DIR'] ?? '';
  const start = async (role: string, more: Settings = {}): Promise<RookeryProcess> =>
    startRookery({ ...common, ROLE: role, PORT: String(await freePort()), ...more });

  before(async () => {
    common = await freshSettings({
      DATABASE_URL: await freshDatabase(),
      LOCAL_DOMAIN: 'rookery.example',
      ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    });
    // All three start at once on an empty database. The first one creates the tables.
    [projector, first, second] = await Promise.all([start('projector'), start('api'), start('api')]);
    ({ token: alice } = await signUp(first.url, folder(), 'alice'));
    ({ token: bob } = await signUp(second.url, folder(), 'bob'));
  });
  after(async () => {
    await Promise.all([projector?.end(), first.end(), second.end()]);
    await discard(common);
  });

  const post = (api: RookeryProcess, token: string, status: string, key?: string): Promise<Reply> =>
    send(api.url, 'POST', '/api/v1/statuses', {
      token,
      body: { status },
      headers: key === undefined ? {} : { 'Idempotency-Key': key },
    });
  const homeIds = async (api: RookeryProcess, token: string): Promise<string[]> => {
    const { status, body } = await send(api.url, 'GET', '/api/v1/timelines/home', { token });
    expect(status).to.equal(200);
    return (body as { id: string }[]).map(({ id }) => id);
  };

  it('let a client read its own writes immediately through the same process', async () => {
    for (let n = 0; n < 20; n += 1) {
      const made = await post(first, alice, `at once ${n}`);
      expect(made.status).to.equal(200);
      expect((await homeIds(first, alice))[0]).to.equal(made.body.id);
    }
  });

  it('let a client read its own writes through another process when they share Redis', async function () {
    if (!redisUrl) this.skip();
    for (let n = 0; n < 20; n += 1) {
      const [writer, reader] = n % 2 === 0 ? [first, second] : [second, first];
      const made = await post(writer, alice, `elsewhere ${n}`);
      expect((await homeIds(reader, alice))[0]).to.equal(made.body.id);
    }
  });

  it('recognise a retry that reaches another process as the same command', async () => {
    const replies = await Promise.all(
      [first, second, first].map((api) => post(api, bob, 'once', 'same-key')),
    );
    expect(new Set(replies.map(({ body }) => body.id as string)).size).to.equal(1);
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
  });

  it('reject a token in every process after one of them revokes it', async () => {
    const path = '/api/v1/accounts/verify_credentials';
    const { token, clientId, clientSecret } = await signUp(first.url, folder(), 'carol');
    expect((await send(second.url, 'GET', path, { token })).status).to.equal(200);
    const revoked = await send(first.url, 'POST', '/oauth/revoke', {
      body: new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret }),
    });
    expect(revoked.status).to.equal(200);
    expect((await send(first.url, 'GET', path, { token })).status).to.equal(401);
    // The other process learns of it by a notification.
    let status = 200;
    while (status === 200) ({ status } = await send(second.url, 'GET', path, { token }));
    expect(status).to.equal(401);
  });

  it('stream posts of other processes to listeners, until another process revokes the token', async () => {
    const { token, clientId, clientSecret } = await signUp(first.url, folder(), 'dora');
    const listener = await listen(second.url, token, 'public:local');
    const made = await post(first, bob, 'to listeners elsewhere');
    expect((await listener.next()).payload).to.include({ id: made.body.id as string });
    const revoked = await send(first.url, 'POST', '/oauth/revoke', {
      body: new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret }),
    });
    expect(revoked.status).to.equal(200);
    expect(await listener.closed).to.equal(1008);
  });

  it('report health and metrics in each role, each at its own port', async () => {
    const reactor = await start('reactor');
    for (const each of [projector, reactor]) {
      const health = await healthOf(each?.url ?? '');
      expect([health.status, health.body.status]).to.deep.equal([200, 'UP']);
      const metrics = await fetch(`${each?.url}/metrics`);
      expect(await metrics.text()).to.include('projection_position{group="main"}');
      expect((await send(each?.url ?? '', 'GET', '/api/v1/instance')).status).to.equal(404);
    }
    expect(await reactor.end()).to.deep.equal({ code: 0, signal: null });
  });

  it('create one owner, whose password one of the processes prints', async () => {
    await eventually(async () => {
      const found = await send(first.url, 'GET', '/api/v1/accounts/lookup?acct=owner');
      expect(found.status).to.equal(200);
      const printed = [first, second].filter((api) => api.output().includes('The owner of this server'));
      expect(printed).to.have.length(1);
    });
  });

  const titlesOfLists = async (api: RookeryProcess): Promise<string[]> => {
    const { body } = await send(api.url, 'GET', '/api/v1/lists', { token: bob });
    return (body as { title: string }[]).map(({ title }) => title);
  };

  it('answer with the post while no projector runs, and store a repeated command without a key once', async () => {
    await projector?.end();
    projector = undefined;
    // The wait cannot succeed, so a short timeout will do.
    const impatient = await start('api', { SETTLE_TIMEOUT_MS: '200' });
    const made = await post(impatient, alice, 'nobody projects', 'while-away');
    expect(made.status).to.equal(200);
    expect(made.body.content).to.equal('<p>nobody projects</p>');

    const list = () => send(impatient.url, 'POST', '/api/v1/lists', { token: bob, body: { title: 'Birds' } });
    const stored = await list();
    expect(stored.status).to.equal(503);
    expect(Number(stored.headers.get('retry-after'))).to.be.greaterThan(0);
    expect(stored.body.error).to.match(/is stored .* no need to send it again/);
    expect((await list()).status).to.equal(503);
    const reading = await send(impatient.url, 'GET', '/api/v1/lists', { token: bob });
    expect(reading.status).to.equal(503);
    expect(reading.body.error).to.match(/^What you wrote before is stored/);
    expect(await impatient.end()).to.deep.equal({ code: 0, signal: null });

    projector = await start('projector');
    const body = { title: 'Birds' };
    const retried = await send(first.url, 'POST', '/api/v1/lists', { token: bob, body });
    expect(retried.status).to.equal(200);
    expect(await titlesOfLists(first)).to.deep.equal(['Birds']);
    // The client received its reply, so the same request now creates another list.
    expect((await send(second.url, 'POST', '/api/v1/lists', { token: bob, body })).status).to.equal(200);
    expect(await titlesOfLists(second)).to.deep.equal(['Birds', 'Birds']);

    for (const api of [first, second]) {
      const again = await post(api, alice, 'nobody projects', 'while-away');
      expect([again.status, again.body.id]).to.deep.equal([200, made.body.id]);
    }
    const mine = await send(first.url, 'GET', '/api/v1/timelines/home?limit=40', { token: alice });
    const texts = (mine.body as { content: string }[]).map(({ content }) => content);
    expect(texts.filter((content) => content.includes('nobody projects'))).to.have.length(1);
  });

  it('leave read models equal to a rebuild', async () => {
    expect(await differences(common)).to.deep.equal([]);
  });

  it('all exit cleanly', async () => {
    const exits = await Promise.all([projector?.end(), first.end(), second.end()]);
    expect(exits).to.deep.equal(exits.map(() => ({ code: 0, signal: null })));
  });
});
