import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createOwner } from '#app/first-owner.ts';
import { OF_VIEWERS } from '#interfaces/oauth/users.ts';
import type { AdminProjection } from '#mastodon/schemas/index.ts';
import { projections } from '#projections/index.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { askProjectorsToRetry } from '#storage/postgres/projector/projector.ts';
import { alertOf } from '../account-pages/support.ts';
import { Browser } from '../oauth/client.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { lendDatabase, type LentDatabase } from '../support/lent-database.ts';
import { type Answer, startTestServer, type TestServer } from '../support/server.ts';
import { copyKeys } from '../support/started-database.ts';
import { textIn } from '../web/notices-support.ts';

const BLOCK = { digest: 'x', id: 1, ip: '127.0.0.0/8', severity: 'no_access', comment: '', key_id: 1 };
const FAILURE = { position: '1', event_id: 'x', event_type: 'AccountCreated', error: 'A spec' };

describe('A start with a halted read model', function () {
  this.timeout(120_000);
  let lent: LentDatabase;
  let dataDir: string;
  let db: Database;
  let token: string;
  let server: TestServer | undefined;

  before(async () => {
    lent = await lendDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'rookery-halted-'));
    await copyKeys(dataDir);
    db = openDatabase({ url: lent.url, max: 1, applicationName: 'spec' });
    const first = await start();
    ({ token } = await first.user('boss', {
      role: 'Owner',
      scopes: ['read', 'write', 'admin:read', 'admin:write'],
    }));
    await first.call('POST', '/api/v1/statuses', { token, body: { status: 'Hello' } });
    await first.close();
  });
  afterEach(() => server?.close());
  after(async () => {
    await db.close();
    await lent.giveBack();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = (): Promise<TestServer> => startTestServer({ DATABASE_URL: lent.url, DATA_DIR: dataDir });

  /** Halts a read model, and lets each retry halt it again. */
  async function halt(name: string): Promise<void> {
    const failure = JSON.stringify({ ...FAILURE, projection: name });
    await db.query('drop function if exists spec_halt cascade');
    await db.query('update durable.projections set halted = false, failure = null');
    await db.query(`create function spec_halt() returns trigger language plpgsql
      as $$ begin new.halted := true; new.failure := '${failure}'; return new; end $$`);
    await db.query(`create trigger spec_halt before update on durable.projections
      for each row when (new.name = '${name}') execute function spec_halt()`);
    const halted = await db.query(
      'update durable.projections set halted = true where name = $1 returning name',
      [name],
    );
    expect(halted, name).to.have.length(1);
  }

  async function startWith(name: string): Promise<TestServer> {
    await halt(name);
    server = await start();
    return server;
  }

  const healthOf = async ({ url }: TestServer): Promise<[number, unknown]> => {
    const reply = await fetch(`${url}/health`, { headers: { Accept: 'application/json' } });
    return [reply.status, await reply.json()];
  };
  const signIn = async (at: TestServer, login: string): Promise<[Browser, Answer]> => {
    const browser = new Browser(at);
    expect((await browser.open('/auth/sign_in')).status).to.equal(200);
    return [browser, await browser.submit('/auth/sign_in', { login, password: 'correct horse boss' })];
  };
  const inCommandLine = (...args: string[]): Promise<Result> =>
    server ? rookeryBeside(server.app, ...args) : expect.fail('no server');

  for (const { name } of projections) {
    it(`serves, says so in /health and lets the owner mend it: ${name}`, async () => {
      const at = await startWith(name);
      const news: string[] = [];
      await createOwner(at.app, {
        created: (username) => void news.push(username),
        passwordUntold: (username) => void news.push(username),
      });
      expect(news).to.deep.equal([]);
      const isNeeded = OF_VIEWERS.includes(name);
      expect(await healthOf(at)).to.deep.equal(
        isNeeded
          ? [503, { status: 'DOWN', failing: ['projections'], halted: [name] }]
          : [200, { status: 'DEGRADED', halted: [name] }],
      );
      const { status, body } = await at.call('GET', `/api/v1/admin/projections/${name}`, { token });
      expect([status, (body as AdminProjection).state]).to.deep.equal([200, 'halted']);
      const [browser, signedIn] = await signIn(at, 'boss');
      expect(signedIn.status, alertOf(signedIn)).to.equal(303);
      const page = await browser.open(`/admin/projections/${name}`);
      expect([page.status, textIn(page)])
        .to.have.nested.property('[1]')
        .that.includes('Halted by an event');
      expect((await browser.open('/admin/projections')).status).to.equal(200);
      const home = await browser.open('/home');
      if (home.status !== 200) {
        expect([home.status, textIn(home)])
          .to.have.nested.property('[1]')
          .that.includes('rookery projections retry')
          .and.includes('Mend it');
      }
      const listed = await inCommandLine('projections', 'list');
      expect(listed.stdout, listed.stderr).to.match(
        new RegExp(`^${name} .*halted at 1 AccountCreated x: A spec`, 'm'),
      );
    });
  }

  for (const name of ['accounts', 'users', 'instance-settings']) {
    it(`lets the command line look, verify, retry and rebuild: ${name}`, async () => {
      await startWith(name);
      const looked = await inCommandLine('doctor');
      expect([looked.code, looked.stdout])
        .to.have.nested.property('[1]')
        .that.matches(new RegExp(`^projections +broken: halted: ${name}$`, 'm'))
        .and.matches(/^disk /m);
      expect(looked.code).to.equal(1);
      const verified = await inCommandLine('log', 'verify');
      expect(verified.stdout, verified.stderr).to.match(/^Unaltered: /);
      const shown = await inCommandLine('projections', 'show', name);
      expect(shown.stdout, shown.stderr).to.match(/^state +halted at 1 AccountCreated/m);
      await db.query('drop function spec_halt cascade');
      const rebuilt = await inCommandLine('projections', 'rebuild', name);
      expect(rebuilt, rebuilt.stderr).to.include({ code: 0, stdout: `Rebuilt: ${name}\n` });
    });
  }

  it('admits users by their name and their address, and no other address, while accounts are halted', async () => {
    const [row] = await db.query<{ email: string }>('select email from readmodels.users');
    const at = await startWith('accounts');
    for (const login of ['boss', 'BOSS', row?.email ?? '']) {
      const [, answer] = await signIn(at, login);
      expect(answer.status, login).to.equal(303);
    }
    const spelledOtherwise = (row?.email ?? '').replace('@', '+x@');
    for (const login of ['nobody', 'nobody@example.org', spelledOtherwise, 'bo/ss']) {
      const [, answer] = await signIn(at, login);
      expect(answer.status, login).to.equal(422);
    }
    expect((await signIn(at, 'b\0ss'))[1].status).to.equal(400);
    const wrong = new Browser(at);
    await wrong.open('/auth/sign_in');
    expect((await wrong.submit('/auth/sign_in', { login: 'boss', password: 'wrong' })).status).to.equal(422);
    expect((await at.call('GET', '/api/v1/lists', { token: `${token}x` })).status).to.equal(401);
    expect((await at.call('GET', '/api/v1/lists', { token })).status).to.equal(200);
  });

  it('refuses a blocked address, though the read model of blocks is halted', async () => {
    await db.query(
      `insert into readmodels.ip_blocks select (jsonb_populate_record(null::readmodels.ip_blocks, $1)).*`,
      [JSON.stringify({ ...BLOCK, created_at: new Date() })],
    );
    const at = await startWith('ip-blocks');
    expect((await fetch(`${at.url}/api/v1/instance`)).status).to.equal(403);
    await db.query('delete from readmodels.ip_blocks');
  });

  it('refuses a user whom the log has as disabled, though the halted read models do not', async () => {
    const at = await startWith('users');
    const [row] = await db.query<{ id: string }>('select account_id as id from readmodels.users');
    const id = row?.id ?? '';
    const disabled = { type: 'UserDisabled', data: { account_id: id } } as const;
    const none = { initialState: null, evolve: () => null };
    await at.app.systemContext('spec').execute(`account-${id}`, none, () => [disabled]);
    expect((await at.call('GET', '/api/v1/lists', { token })).status).to.equal(403);
    await db.query('drop function spec_halt cascade');
    await askProjectorsToRetry(db);
    await at.waitUntilIdle();
    expect((await at.call('GET', '/api/v1/lists', { token })).status).to.equal(403);
  });
});
