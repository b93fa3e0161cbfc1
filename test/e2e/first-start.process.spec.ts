import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Browser } from '../oauth/client.ts';
import { send } from '../support/api-client.ts';
import { runRookery } from '../support/command-line.ts';
import { dropDatabase, freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type RookeryProcess, type Settings, startRookery } from '../support/process.ts';

describe('The first start of a server', function () {
  this.timeout(120_000);
  let settings: Settings;
  let server: RookeryProcess | undefined;

  beforeEach(async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'rookery-first-')));
    const url = await freshDatabase();
    settings = { DATA_DIR: folder, DATABASE_URL: url, PORT: String(await freePort()), LOG_LEVEL: 'warn' };
  });
  afterEach(async () => {
    await server?.end();
    server = undefined;
    if (settings['DATABASE_URL'] !== undefined) await dropDatabase(settings['DATABASE_URL']);
    await rm(settings['DATA_DIR'] ?? '', { recursive: true });
  });

  const start = async (more: Settings = {}): Promise<RookeryProcess> =>
    (server = await startRookery({ ...settings, ...more }));
  const isOpen = async (url: string): Promise<boolean> =>
    ((await send(url, 'GET', '/api/v1/instance')).body as { registrations: boolean }).registrations;
  const says = (output: () => string, text: string): Promise<unknown> =>
    eventually(() => expect(output()).to.include(text));
  const restart = async (more: Settings = {}): Promise<RookeryProcess> => {
    await server?.end();
    return start(more);
  };

  it('says that a database is created before it is there, and once when it is up', async () => {
    await dropDatabase(settings['DATABASE_URL'] ?? '');
    delete settings['DATABASE_URL'];
    const first = await start();
    await says(first.output, 'Rookery serves');
    const lines = first.output().split('\n');
    expect(lines[0]).to.equal(
      `First start: creating a database in ${settings['DATA_DIR']}. This takes up to a minute.`,
    );
    expect(lines[1]).to.match(/^The database is up after \d+\.\d s\.$/);
    expect((await restart()).output()).not.to.match(/First start|database/);
  });

  it('names a setting that is misspelled', async () => {
    const { output } = await start({ LOCALDOMAIN: 'new.example' });
    await says(output, 'LOCALDOMAIN is not a setting, and has no effect. Did you mean LOCAL_DOMAIN?');
  });

  it('leaves registrations open on localhost, and says so', async () => {
    const { url, output } = await start();
    await says(output, `Anyone can sign up. The owner changes that at ${url}/start/server/registrations`);
    expect(await isOpen(url)).to.equal(true);
  });

  it('closes registrations when others reach the server, until the owner opens them at the first steps', async () => {
    const there = { LOCAL_DOMAIN: 'new.example', LOCAL_HTTPS: 'false' };
    const { url, output } = await start(there);
    await says(
      output,
      'Nobody can sign up. The owner changes that at http://new.example/start/server/registrations',
    );
    expect(await isOpen(url)).to.equal(false);
    expect((await send(url, 'GET', '/auth/sign_up')).body).not.to.include('name="username"');

    const [, password = ''] = /password: (\S+)/.exec(output()) ?? [];
    const browser = new Browser({ call: (method, path, options) => send(url, method, path, options) });
    await browser.open('/auth/sign_in');
    const signedIn = await browser.submit('/auth/sign_in', { login: 'owner@new.example', password });
    expect(signedIn.headers.get('location')).to.equal('/start/server');
    const page = await browser.open('/start/server/registrations');
    expect(page.body).to.match(/value="closed"[^>]*checked/);
    await browser.submit('/start/server/registrations', { registrations: 'open' });
    expect(await isOpen(url)).to.equal(true);
    await says((await restart(there)).output, 'Anyone can sign up.');
  });

  it('closes registrations on localhost when the server listens to the network', async () => {
    const { url, output } = await start({ BIND: '0.0.0.0' });
    await says(output, 'Nobody can sign up.');
    expect(await isOpen(url)).to.equal(false);
  });

  it('closes registrations also when the command line was there first', async () => {
    const there = { ...settings, LOCAL_DOMAIN: 'new.example', LOCAL_HTTPS: 'false' };
    const made = await runRookery(['accounts', 'create', 'alice', '--email', 'alice@example.org'], there);
    expect(made, made.stderr).to.include({ code: 0 });
    await says((await start(there)).output, 'Nobody can sign up.');
  });
});
