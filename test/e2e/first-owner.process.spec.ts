import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import pg from 'pg';
import { Browser } from '../oauth/client.ts';
import { send } from '../support/api-client.ts';
import { inTurn } from '../support/command-line.ts';
import { dropDatabase, freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import {
  discard,
  freshSettings,
  launchRookery,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';

const SHOWN = /The owner of this server is "owner", password: (\S+)/g;
const passwordsIn = ({ output }: RookeryProcess): string[] =>
  [...output().matchAll(SHOWN)].map(([, password = '']) => password);
const RESET = 'npx rookery accounts modify owner --reset-password';

describe('The password of the first owner', function () {
  this.timeout(120_000);
  let settings: Settings;
  let client: pg.Client;
  const running = new Set<RookeryProcess>();

  beforeEach(async () => {
    settings = await freshSettings({ DATABASE_URL: await freshDatabase() });
    client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
    await client.connect();
  });
  afterEach(async () => {
    await client.end();
    await Promise.all([...running].map((each) => each.end()));
    running.clear();
    await dropDatabase(settings['DATABASE_URL'] ?? '');
    await discard(settings);
  });

  const start = async (more: Settings = {}): Promise<RookeryProcess> => {
    const started = await startRookery({ ...settings, PORT: String(await freePort()), ...more });
    running.add(started);
    return started;
  };
  const signIn = async ({ url }: RookeryProcess, password: string): Promise<number> => {
    const browser = new Browser({ call: (method, path, options) => send(url, method, path, options) });
    await browser.open('/auth/sign_in');
    return (await browser.submit('/auth/sign_in', { login: 'owner@localhost', password })).status;
  };
  /** Resolves when the server has done everything of its start. */
  const settled = (server: RookeryProcess): Promise<unknown> =>
    eventually(() => expect(server.output()).to.include('Anyone can sign up.'));

  it('is printed once when the API starts before any projector', async () => {
    const api = await start({ ROLE: 'api', SETTLE_TIMEOUT_MS: '200' });
    await eventually(() => expect(passwordsIn(api)).to.have.length(1));
    await start({ ROLE: 'projector' });
    await settled(api);
    const [password = ''] = passwordsIn(api);
    await eventually(async () => expect(await signIn(api, password)).to.equal(303));
    expect(api.output()).not.to.include('owner not created');
    const second = await start({ ROLE: 'api' });
    await settled(second);
    expect([passwordsIn(api), passwordsIn(second)]).to.deep.equal([[password], []]);
    expect(second.output()).not.to.include(RESET);
  });

  /** Makes the append of the owner's account wait until `client` releases its lock. */
  const holdAppend = async (): Promise<RookeryProcess> => {
    await (await start({ ROLE: 'projector' })).end();
    await client.query(`
      create function public.hold() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock(42); return new; end $$;
      create trigger hold before insert on eventlog.events
        for each row when (new.type = 'AccountCreated') execute function public.hold();
      select pg_advisory_lock(42);`);
    const held = launchRookery(settings);
    running.add(held);
    await eventually(async () => expect(await waiting()).to.have.length(1));
    await held.end('SIGKILL');
    return held;
  };
  const waiting = async (): Promise<number[]> => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and objid = 42 and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.map(({ pid }) => pid);
  };

  it('is printed by the second start when the first one was killed before it stored the account', async () => {
    await holdAppend();
    for (const pid of await waiting()) await client.query('select pg_terminate_backend($1)', [pid]);
    await client.query('select pg_advisory_unlock(42)');
    const server = await start();
    const [password = ''] = passwordsIn(server);
    expect(await signIn(server, password)).to.equal(303);
    expect(server.output()).not.to.include(RESET);
  });

  it('can be replaced by the verb that the second start names when the first one was killed before it printed', async () => {
    const killed = await holdAppend();
    await client.query('select pg_advisory_unlock(42)');
    await eventually(async () => expect(await waiting()).to.deep.equal([]));
    const second = await start();
    expect([passwordsIn(killed), passwordsIn(second)]).to.deep.equal([[], []]);
    expect(second.output()).to.include(RESET);
    const replaced = await inTurn(RESET.split(' ').slice(2), settings);
    const [, password = ''] = /New password: (\S+)/.exec(replaced.stdout) ?? [];
    expect(await signIn(second, password)).to.equal(303);
    await second.end();
    expect((await start()).output()).not.to.include(RESET);
  });
});

describe('A password that the command line makes', function () {
  this.timeout(120_000);

  it('is printed before the read models have the account', async () => {
    const settings = await freshSettings({ DATABASE_URL: await freshDatabase() });
    await (await startRookery(settings)).end();
    const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
    await client.connect();
    await client.query('begin; lock table readmodels.accounts in share mode');
    const create = ['accounts', 'create', 'alice', '--email', 'alice@example.org', '--confirmed'];
    const child = spawn(process.execPath, ['src/cli/main.ts', ...create], {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await eventually(() => expect(said).to.match(/^OK\nNew password: \S+$/m));
    await client.query('rollback');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
    await client.end();
    await dropDatabase(settings['DATABASE_URL'] ?? '');
    await discard(settings);
  });
});
