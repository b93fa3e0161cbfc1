import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { expect } from 'chai';
import pg from 'pg';
import { secretBox } from '#adapters/push/secrets.ts';
import { loadConfig } from '#config/config.ts';
import { type Keys, loadOrCreateKeys } from '#config/keys.ts';
import { changedTokens } from '#interfaces/oauth/token-digest.ts';
import { reseal } from '#operations/reseal.ts';
import {
  type EventStoreDbDouble,
  startEventStoreDbDouble,
} from '../contracts/support/eventstoredb-double.ts';
import { Browser } from '../oauth/client.ts';
import { send, signUp } from '../support/api-client.ts';
import { inTurn, type Result } from '../support/command-line.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import {
  beside,
  differences,
  discard,
  freshSettings,
  type RookeryProcess,
  type Settings,
  startRookery,
} from '../support/process.ts';
import { nextCode, withTwoFactor } from '../support/two-factor.ts';

const AUTH = Buffer.alloc(16, 7).toString('base64url');
const P256DH = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 9)]).toString('base64url');
const BEARER = 'a token in clear text';
const TEXT = 'The contents of an archive';

describe('rookery keys rotate-master', function () {
  this.timeout(300_000);
  let settings: Settings;
  let alice: { token: string; id: string; secret: string };
  /** The result of the verb while a server runs. */
  let whileServed: Result;
  let former: Keys;
  let oldText: string;
  let logKey: string;
  let checkpoint: string;
  let folder: string;

  const file = (): string => join(settings['DATA_DIR'] ?? '', 'keys.json');
  const cli = (...args: string[]): Promise<Result> => inTurn(args, settings);
  const ok = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await cli(...args);
    expect(code, stderr).to.equal(0);
    return stdout;
  };
  const stored = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await readFile(file(), 'utf8')) as Record<string, unknown>;
  const keysNow = (): Promise<Keys> =>
    loadOrCreateKeys(settings['DATA_DIR'] ?? '', loadConfig(settings).secrets);
  const entries = async (): Promise<{ changes: unknown }[]> =>
    (await ok('audit', 'export', '--action', 'server.key_replaced'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { changes: unknown });
  const readsAll = async (server: RookeryProcess): Promise<void> => {
    const home = await send(server.url, 'GET', '/api/v1/timelines/home', { token: alice.token });
    expect((home.body as { content: string }[]).map(({ content }) => content)).to.include(
      '<p>for my followers</p>',
    );
    const again = await send(server.url, 'GET', '/api/v1/accounts/verify_credentials', {
      token: alice.token,
    });
    expect(again.status).to.equal(200);
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-keys-'));
    settings = await freshSettings({ DATABASE_URL: await freshDatabase(), LOCAL_DOMAIN: 'keys.example' });
    const server = await startRookery(settings);
    const { token } = await signUp(server.url, settings['DATA_DIR'] ?? '', 'alice');
    await signUp(server.url, settings['DATA_DIR'] ?? '', 'bob');
    const body = { status: 'for my followers', visibility: 'private' };
    expect((await send(server.url, 'POST', '/api/v1/statuses', { token, body })).status).to.equal(200);
    whileServed = await cli('keys', 'rotate-master');
    await server.end();
    alice = { token, ...(await prepare()) };
    await ok('log', 'checkpoint');
    logKey = (await ok('log', 'key')).trim();
    checkpoint = join(folder, 'checkpoint');
    await beside(settings, async ({ transparencyLog }) =>
      writeFile(checkpoint, (await transparencyLog.newest()) ?? ''),
    );
    await ok('backup', join(folder, 'bare'), '--no-keys', '--no-media');
    former = await keysNow();
    oldText = await readFile(file(), 'utf8');
    await chmod(file(), 0o640);
  });
  after(async () => {
    await discard(settings);
    await rm(folder, { recursive: true });
  });

  const connected = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: settings['DATABASE_URL'] });
    await client.connect();
    return client;
  };
  const firstKey = async (): Promise<unknown> => {
    const client = await connected();
    const { rows } = await client.query(
      'select wrapped from durable.subject_keys where wrapped is not null order by subject limit 1',
    );
    await client.end();
    return rows;
  };

  /** Gives alice a second step, a push subscription, an archive, and keys to sign with. */
  const prepare = (): Promise<{ id: string; secret: string }> =>
    beside(settings, async (app) => {
      const { services } = app.contextDependencies;
      const [row] = await app.db.query<{ id: string; token: string }>(
        `select a.id, t.id as token from accounts a join durable.access_tokens t on t.account_id = a.id
         where a.username = 'alice'`,
      );
      const { id = '', token = '' } = row ?? {};
      const { secret } = await withTwoFactor(app, id);
      await services.pushSubscriptions.create(
        { tokenId: token, accountId: id },
        {
          endpoint: 'https://push.example/alice',
          p256dh: P256DH,
          auth: AUTH,
          standard: true,
          alerts: ['mention'],
          policy: 'all',
          bearer: BEARER,
        },
      );
      expect(await services.archives.request('115500000000000077', id)).to.equal(true);
      await services.archives.make(
        '115500000000000077',
        async ({ path, seal }) => {
          await pipeline(Readable.from([TEXT]), seal, createWriteStream(path));
          return 0;
        },
        AbortSignal.timeout(60_000),
      );
      await services.actorKeys.publicKeys(id);
      expect(await services.actorKeys.rotate(id, '115500000000000078')).not.to.equal(undefined);
      return { id, secret };
    });

  it('refuses while a server runs', () => {
    expect(whileServed.code).to.equal(1);
    expect(whileServed.stderr).to.include('stop all its processes first');
  });

  it('leaves a server that reads everything when it is killed while it encrypts', async () => {
    const lock = await connected();
    await lock.query('set idle_in_transaction_session_timeout = 0');
    await lock.query('begin; lock table durable.actor_keys in access exclusive mode');
    const child = spawn(process.execPath, ['src/cli/main.ts', 'keys', 'rotate-master'], {
      env: { PATH: process.env['PATH'], ...settings },
      stdio: 'ignore',
    });
    await eventually(async () => expect((await stored())['version']).to.equal(2));
    // Within a transaction, PostgreSQL shows the sessions of its first look.
    const watch = await connected();
    await eventually(async () => {
      const waiting = await watch.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%durable.actor_keys%'
           and datname = current_database()`,
      );
      expect(waiting.rowCount).to.equal(1);
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    await lock.end();
    await watch.end();
    const keys = await stored();
    expect(keys['version']).to.equal(2);
    expect(keys['previous']).to.deep.equal([(JSON.parse(oldText) as { master: string }).master]);
    await writeFile(join(folder, 'interrupted.json'), await readFile(file(), 'utf8'));
    const server = await startRookery(settings);
    await readsAll(server);
    await signUp(server.url, settings['DATA_DIR'] ?? '', 'carol');
    await server.end();
  });

  it('refuses a machine whose key file was left as it was', async () => {
    const other = await freshSettings({
      DATABASE_URL: settings['DATABASE_URL'] ?? '',
      ROOKERY_KEYS: oldText,
    });
    const refused = await inTurn(['projections', 'list'], { ...other, LOCAL_DOMAIN: 'keys.example' });
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('another master key than this database');
    await discard(other);
  });

  it('goes on after the interruption, and ends with one master key in the file', async () => {
    const before = await stored();
    await ok('keys', 'rotate-master');
    const keys = await stored();
    expect(keys['master']).to.equal(before['master']);
    expect(keys).not.to.have.any.keys('previous', 'rotation');
    expect((await stat(file())).mode & 0o777).to.equal(0o640);
    expect(await entries()).to.have.length(1);
  });

  it('leaves nothing that the former key decrypts', async () => {
    const { master } = await keysNow();
    await beside(settings, async ({ db, tokenDigests }) => {
      expect(await reseal(db, master)).to.deep.equal({ changed: 0, unreadable: [] });
      expect((await reseal(db, former.master)).unreadable).to.have.length(6);
      expect(await changedTokens(db, tokenDigests)).to.equal(0);
    });
  });

  it('leaves everything readable: posts, pushes, archives, keys of accounts', async () => {
    const server = await startRookery(settings);
    await readsAll(server);
    await server.end();
    await beside(settings, async (app) => {
      const { services } = app.contextDependencies;
      const [row] = await app.db.query<{ secrets: Buffer }>('select secrets from durable.push_subscriptions');
      const opened = secretBox(app.keys.master).open(row?.secrets ?? Buffer.alloc(0));
      expect(opened).to.deep.equal({ auth: AUTH, bearer: BEARER });
      const archive = await services.archives.open(alice.id);
      expect(archive && (await buffer(archive.stream)).toString()).to.equal(TEXT);
      expect(await app.federation.keys.privateKey(alice.id)).to.have.length.greaterThan(1_000);
      expect(await app.federation.keys.retiredKey('115500000000000078')).to.have.length.greaterThan(1_000);
      const activity = { id: 'https://keys.example/1', type: 'Like', actor: 'https://keys.example/a' };
      expect(await services.actorKeys.proven(alice.id, activity)).to.have.property('proof');
    });
  });

  it('leaves the second step of signing in as it was', async () => {
    const server = await startRookery(settings);
    const call: ConstructorParameters<typeof Browser>[0]['call'] = async (method, path, options) =>
      send(server.url, method, path, options);
    const browser = new Browser({ call });
    await browser.open('/auth/sign_in?return_to=/settings/security');
    const asked = await browser.submit('/auth/sign_in', {
      login: 'alice@example.org',
      password: 'correct horse alice',
    });
    expect(asked.status).to.equal(303);
    await browser.open(asked.headers.get('location') ?? '');
    const code = nextCode(alice.secret, new Date().toISOString());
    expect((await browser.submit('/auth/second_step', { code })).status).to.equal(303);
    expect((await browser.open('/settings/security')).status).to.equal(200);
    await server.end();
  });

  it('keeps the digests of addresses, the key of the log and the distinction', async () => {
    const { emailDigestKey, addressDigestKey, checkpointSeed, distinction, secret, vapid } = former;
    const kept = { emailDigestKey, addressDigestKey, checkpointSeed, distinction, secret, vapid };
    const now = await keysNow();
    expect(now).to.deep.include(kept);
    expect(now.master.id).not.to.equal(former.master.id);
    expect((await ok('log', 'key')).trim()).to.equal(logKey);
    await ok('log', 'checkpoint');
    await ok('log', 'verify', '--checkpoint', checkpoint);
    await ok('log', 'export', '--output', join(folder, 'export.ndjson'));
    await ok(
      ...['log', 'verify', '--file', join(folder, 'export.ndjson')],
      ...['--checkpoint', checkpoint, '--key', logKey],
    );
  });

  it('still refuses a second account for an e-mail address', async () => {
    const taken = await cli('accounts', 'create', 'alice3', '--email', 'alice@example.org', '--confirmed');
    expect(taken.code, taken.stderr).to.equal(64);
    expect(taken.stderr).to.match(/already|taken/i);
  });

  it('leaves read models that agree with the log', async () => {
    expect(await differences(settings)).to.deep.equal([]);
  });

  it('has one entry in the audit log when it is interrupted before its last step', async () => {
    const ended = await readFile(file(), 'utf8');
    await writeFile(file(), await readFile(join(folder, 'interrupted.json')));
    await ok('keys', 'rotate-master');
    expect(await readFile(file(), 'utf8')).to.equal(ended);
    expect(await entries()).to.have.length(1);
  });

  it('keeps the former key by --keep-old, which restores a backup from before', async () => {
    const restore = async (keys: string): Promise<Result> => {
      const target = await freshSettings({
        DATABASE_URL: await freshDatabase(),
        LOCAL_DOMAIN: 'keys.example',
      });
      await writeFile(join(target['DATA_DIR'] ?? '', 'keys.json'), keys);
      const result = await inTurn(['restore', join(folder, 'bare'), '--no-erasures'], target);
      await discard(target);
      return result;
    };
    const replaced = await restore(await readFile(file(), 'utf8'));
    expect(replaced.code).to.equal(1);
    expect(replaced.stderr).to.include('restore it with the keys.json of that time');
    const { master } = JSON.parse(oldText) as { master: string };
    const keeping = await restore(JSON.stringify({ ...(await stored()), previous: [master] }));
    expect(keeping.code, keeping.stderr).to.equal(0);
    await ok('keys', 'rotate-master', '--keep-old');
    expect((await stored())['previous']).to.have.length(1);
    expect((await entries()).map(({ changes }) => JSON.stringify(changes))).to.satisfy((all: string[]) =>
      all.some((each) => each.includes('kept_old') && each.includes('true')),
    );
  });

  it('prints the value of ROOKERY_KEYS, and encrypts nothing before it is set', async () => {
    const [text, wrapped] = [await readFile(file(), 'utf8'), await firstKey()];
    const env = { ...settings, ROOKERY_KEYS: text };
    const printed = async (given: Settings): Promise<string> => {
      const { code, stdout, stderr } = await inTurn(['keys', 'rotate-master', '--quiet'], given);
      expect(code, stderr).to.equal(0);
      return stdout.trim();
    };
    const first = await printed(env);
    expect(await firstKey()).to.deep.equal(wrapped);
    const last = await printed({ ...env, ROOKERY_KEYS: first });
    expect(await firstKey()).not.to.deep.equal(wrapped);
    expect(JSON.parse(last)).not.to.have.any.keys('previous', 'rotation');
    expect(await readFile(file(), 'utf8')).to.equal(text);
    settings = { ...settings, ROOKERY_KEYS: last };
    const server = await startRookery(settings);
    await readsAll(server);
    await server.end();
  });
});

describe('rookery keys rotate-instance', function () {
  this.timeout(180_000);

  it('gives the actor of the server a new key, and records that', async () => {
    const settings = await freshSettings({
      DATABASE_URL: await freshDatabase(),
      LOCAL_DOMAIN: 'keys.example',
    });
    const keyOf = async (): Promise<string> => {
      const server = await startRookery(settings);
      const actor = await send(server.url, 'GET', '/actor', {
        headers: { Accept: 'application/activity+json' },
      });
      await server.end();
      return (actor.body as { publicKey: { publicKeyPem: string } }).publicKey.publicKeyPem;
    };
    const former = await keyOf();
    const rotated = await inTurn(['keys', 'rotate-instance'], settings);
    expect(rotated.code, rotated.stderr).to.equal(0);
    expect(await keyOf()).not.to.equal(former);
    const audit = await inTurn(['audit', 'export', '--action', 'server.key_replaced'], settings);
    expect(audit.stdout).to.include('"instance"');
    await discard(settings);
  });
});

describe('rookery keys rotate-master with a log in EventStoreDB', function () {
  this.timeout(180_000);
  let double: EventStoreDbDouble;

  before(async () => {
    double = await startEventStoreDbDouble();
  });
  after(() => double.kill());

  it('leaves the texts of the log readable', async () => {
    const settings = await freshSettings({
      DATABASE_URL: await freshDatabase(),
      EVENTSTORE_URL: double.url,
      LOCAL_DOMAIN: 'keys.example',
    });
    const first = await startRookery(settings);
    const { token } = await signUp(first.url, settings['DATA_DIR'] ?? '', 'alice');
    const body = { status: 'for my followers', visibility: 'private' };
    expect((await send(first.url, 'POST', '/api/v1/statuses', { token, body })).status).to.equal(200);
    await first.end();
    const rotated = await inTurn(['keys', 'rotate-master'], settings);
    expect(rotated.code, rotated.stderr).to.equal(0);
    expect(await differences(settings)).to.deep.equal([]);
    const server = await startRookery(settings);
    const home = await send(server.url, 'GET', '/api/v1/timelines/home', { token });
    expect((home.body as { content: string }[]).map(({ content }) => content)).to.deep.equal([
      '<p>for my followers</p>',
    ]);
    await server.end();
    await discard(settings);
  });
});
