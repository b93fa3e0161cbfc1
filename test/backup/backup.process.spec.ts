import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { openApp } from '#app/app.ts';
import { loadConfig } from '#config/config.ts';
import { ErasureList, loadBackup, readErasures, readManifest } from '#operations/backup/index.ts';
import { backedUpTables, LEFT_OUT } from '#operations/backup/tables.ts';
import { RANKING_TURNS } from '#reactors/rankings.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { send } from '../support/api-client.ts';
import { inTurn, type Result, rookeryBeside, runRookery } from '../support/command-line.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type Person, startTown, type Town } from '../support/people.ts';
import { still } from '../support/pictures.ts';
import { startRookery } from '../support/process.ts';
import { startedDatabase } from '../support/started-database.ts';
import { uploadForm } from '../support/uploads.ts';

/** The server of the suite still runs and writes to these tables. */
const WRITTEN_MEANWHILE = ['reactors', 'restores', 'idempotency_keys', 'alerts'].map(
  (name) => `durable.${name}`,
);

describe('Backups', function () {
  this.timeout(120_000);
  let town: Town;
  let alice: Person;
  let folder: string;
  let whole: string;

  before(async function () {
    this.timeout(120_000);
    town = await startTown();
    folder = await mkdtemp(join(tmpdir(), 'rookery-backup-'));
    alice = await town.person('alice', { note: 'Gardener \u{1F331} "quoted" \\ back' });
    await alice.post('/api/v1/statuses', { status: 'One\nTwo \u2028 three' });
    await send(town.url, 'POST', '/api/v2/media', {
      token: alice.token,
      body: uploadForm(await still('green'), {}, { type: 'image/png' }),
    });
    await town.waitUntilIdle();
    // Waits for the tables that the server fills in the background. A later row would be missing in the
    // backup.
    await town.app.transparencyLog.record();
    for (const [table, rows] of [
      ['ranking_times', RANKING_TURNS.length],
      ['account_addresses', 1],
    ] as const) {
      await eventually(async () =>
        expect(await town.app.db.query(`select from durable.${table}`), table).to.have.length(rows),
      );
    }
    // No worker takes these jobs.
    const { jobs } = town.app.contextDependencies.services;
    await jobs.enqueue('later', { note: 'hello' }, { after: 3_600 });
    for (const note of ['first', 'second', 'third']) {
      await jobs.enqueue('in-turn', { note }, { owner: alice.id, after: 3_600 });
    }
    whole = join(folder, 'whole');
    const made = await rookeryBeside(town.app, 'backup', whole);
    expect(made.code, made.stderr).to.equal(0);
  });
  after(async () => {
    await town.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The settings of another machine with the same domain and an empty database. */
  const machine = async (): Promise<Record<string, string>> => ({
    DATA_DIR: await mkdtemp(join(folder, 'machine-')),
    DATABASE_URL: await freshDatabase(),
    LOCAL_DOMAIN: town.app.config.site.localDomain,
  });
  const restore = (settings: Record<string, string>, dir: string, ...more: string[]): Promise<Result> =>
    inTurn(['restore', dir, ...(more.length > 0 ? more : ['--no-erasures'])], settings);
  /** Copies the whole backup to a folder where a test can damage it. */
  const copyOf = async (name: string): Promise<string> => {
    const copy = join(folder, name);
    await cp(whole, copy, { recursive: true });
    return copy;
  };

  it('contain every durable table except those that are computed again', async () => {
    const tables = await town.app.db.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'durable'`,
    );
    const held = (await readManifest(whole)).tables.map(({ name }) => name.replace('.ndjson.gz', ''));
    expect([...held, ...Object.keys(LEFT_OUT)].sort()).to.deep.equal(tables.map(({ name }) => name).sort());
  });

  it('contain tables after those that they refer to', async () => {
    const order = await backedUpTables(town.app.db);
    const before = (one: string, other: string): void => {
      expect(order.indexOf(one), `${one} before ${other}`).to.be.lessThan(order.indexOf(other));
    };
    before('access_tokens', 'push_subscriptions');
    before('push_subscriptions', 'push_deliveries');
    before('federation_activities', 'federation_deliveries');
  });

  it('are readable only for their owner', async () => {
    expect((await stat(whole)).mode & 0o777).to.equal(0o700);
    for (const name of await readdir(whole)) {
      if (name === 'media') continue;
      expect((await stat(join(whole, name))).mode & 0o777, name).to.equal(0o600);
    }
  });

  it('are restored row by row and byte by byte', async () => {
    const settings = await machine();
    const { code, stderr } = await restore(settings, whole);
    expect(code, stderr).to.equal(0);
    const there = openDatabase({ url: settings['DATABASE_URL'] ?? '', max: 1, applicationName: 'spec' });
    try {
      const manifest = await readManifest(whole);
      const tables = manifest.tables.map(({ name }) => `durable.${name.replace('.ndjson.gz', '')}`);
      for (const table of ['eventlog.events', ...tables]) {
        if (WRITTEN_MEANWHILE.includes(table)) continue;
        const rows = (db: typeof there): Promise<unknown[]> =>
          db.query(
            `select t::text as row from ${table} t order by ${table === 'eventlog.events' ? 'position' : '1'}`,
          );
        const limit = table === 'eventlog.events' ? Number(manifest.position) : Infinity;
        expect((await rows(there)).slice(0, limit), table).to.deep.equal(
          (await rows(town.app.db)).slice(0, limit),
        );
      }
      const [restored] = await there.query<{ done: boolean }>(
        'select finished_at is not null as done from durable.restores',
      );
      expect(restored).to.deep.equal({ done: true });
      const [job] = await there.query<{ name: string; data: unknown; later: boolean }>(
        `select name, data, start_after > now() + interval '50 minutes' as later from jobs.job where name = 'later'`,
      );
      expect(job).to.deep.equal({ name: 'later', data: { note: 'hello' }, later: true });
      const turns = await there.query(
        `select data ->> 'note' as note, data ->> 'owner' as owner, priority from jobs.job where name = 'in-turn'
         order by priority desc`,
      );
      expect(turns).to.deep.equal(
        ['first', 'second', 'third'].map((note, n) => ({ note, owner: alice.id, priority: 0 - n })),
      );
      // New ids start above the restored ones.
      const [next] = await there.query<{ above: boolean }>(
        `select nextval(pg_get_serial_sequence('durable.access_tokens', 'id')) > max(id) as above
         from durable.access_tokens`,
      );
      expect(next).to.deep.equal({ above: true });
    } finally {
      await there.close();
    }
  });

  it('are not written into a folder with other files or over a complete backup', async () => {
    const other = join(folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'letters.txt'), 'Dear');
    for (const dir of [other, whole]) {
      const { code, stderr } = await rookeryBeside(town.app, 'backup', dir);
      expect([code, stderr]).to.deep.equal([1, `${dir} is not empty: a backup needs a folder of its own\n`]);
    }
    expect(await readdir(other)).to.deep.equal(['letters.txt']);
  });

  it('are unusable when they were interrupted, and can be started again', async () => {
    const broken = await copyOf('broken-off');
    await rm(join(broken, 'backup.json'));
    await writeFile(join(broken, 'unfinished'), '');
    const refused = await restore(await machine(), broken);
    expect([refused.code, refused.stderr]).to.deep.equal([1, `There is no finished backup in ${broken}\n`]);
    const again = await rookeryBeside(town.app, 'backup', broken);
    expect(again.code, again.stderr).to.equal(0);
    expect(await readdir(broken)).not.to.include('unfinished');
    expect((await restore(await machine(), broken)).code).to.equal(0);
  });

  it('are written with little memory, however long the log is', async function () {
    this.timeout(240_000);
    const url = await startedDatabase();
    const settings = { ...(await machine()), DATABASE_URL: url };
    const db = openDatabase({ url, max: 1, applicationName: 'spec', statementTimeout: 0 });
    await db.query(
      `insert into eventlog.events select n, 'long-' || n, 0, gen_random_uuid(), 'Long', '{"a":"' || repeat(md5(n::text), 90) || '"}',
         '{"time":"2026-11-22T10:00:00.000Z"}' from generate_series(1, 60000) n`,
    );
    await db.close();
    const long = join(folder, 'long');
    // Writes 170 MB with a heap of 96 MB.
    const { code, stderr } = await runRookery(['backup', long], {
      ...settings,
      NODE_OPTIONS: '--max-old-space-size=96',
    });
    expect(code, stderr).to.equal(0);
    expect((await readManifest(long)).log.rows).to.equal(60_000);
  });

  it('are refused with a changed, truncated or missing file, and nothing is restored', async () => {
    const changed = await copyOf('changed');
    const text = await readFile(join(changed, 'credentials.ndjson.gz'));
    await appendFile(join(changed, 'credentials.ndjson.gz'), text);
    const cut = await copyOf('cut');
    await writeFile(
      join(cut, 'log.ndjson.gz'),
      (await readFile(join(cut, 'log.ndjson.gz'))).subarray(0, -20),
    );
    const lost = await copyOf('lost');
    await rm(join(lost, 'access_tokens.ndjson.gz'));
    for (const dir of [changed, cut, lost]) {
      const settings = await machine();
      const { code, stderr } = await restore(settings, dir);
      expect(code, dir).to.equal(2);
      expect(stderr).to.match(/^\S+\.ndjson\.gz is not what was backed up\n$/);
      const db = openDatabase({ url: settings['DATABASE_URL'] ?? '', max: 1, applicationName: 'spec' });
      const schemas = await db.query(`select 1 from pg_namespace where nspname in ('eventlog', 'durable')`);
      expect(schemas, 'no schema was created').to.deep.equal([]);
      await db.close();
    }
  });

  describe('that are verified without a restore', () => {
    const verify = (dir: string, ...more: string[]): Promise<Result> =>
      inTurn(['backup', 'verify', dir, ...more], {});

    it('show that they are intact', async () => {
      const { code, stdout, stderr } = await verify(whole);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(
        /^Intact: position \d+, as of \S+; \d+ events, [1-9]\d* checkpoint\(s\) agree; /,
      );
      const key = town.app.transparencyLog.verifierKey;
      expect(await verify(whole, '--key', key, '--quiet')).to.include({ code: 0, stderr: '' });
    });

    it('show any change of files, lists, times and keys', async () => {
      const changes: [string, string, (text: string) => string][] = [
        ['other-time', 'backup.json', (text) => text.replace(/("taken_at": "20)\d\d/, '$119')],
        ['other-list', 'backup.json', (text) => text.replace(/"rows": \d+/, '"rows": 7')],
        ['other-signer', 'backup.json', (text) => text.replace(/"signature": ".{40}/, '"signature": "x')],
        ['other-file', 'jobs.ndjson.gz', (text) => `${text} `],
      ];
      for (const [name, file, change] of changes) {
        const dir = await copyOf(name);
        const path = join(dir, file);
        await writeFile(path, change(await readFile(path, 'latin1')), 'latin1');
        const { code, stderr } = await verify(dir);
        expect([code !== 0, name], stderr).to.deep.equal([true, name]);
        if (name !== 'other-signer') expect(code, stderr).to.equal(2);
        const settings = await machine();
        expect((await restore(settings, dir)).code, name).not.to.equal(0);
        expect(await readdir(settings['DATA_DIR'] ?? ''), 'nothing is left behind').to.deep.equal([]);
      }
      const other = await verify(whole, '--key', 'log.example+00000000+AQ==');
      expect(other.code).to.equal(2);
    });

    it('need --unsigned without a signature, as of earlier versions', async () => {
      const dir = await copyOf('unsigned');
      const path = join(dir, 'backup.json');
      const { signature, ...rest } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
      expect(signature).to.be.a('string');
      await writeFile(path, JSON.stringify(rest));
      expect((await verify(dir)).stderr).to.match(/has no signature/);
      expect((await verify(dir, '--unsigned')).code).to.equal(0);
      expect((await restore(await machine(), dir)).stderr).to.match(/has no signature/);
      expect((await restore(await machine(), dir, '--no-erasures', '--unsigned')).code).to.equal(0);
    });
  });

  it('are refused with a damaged picture, or restored without it', async () => {
    const dir = await copyOf('damaged-picture');
    const [name = ''] = (await readdir(join(dir, 'media'), { recursive: true })).filter((each) =>
      /\.\w+$/.test(each),
    );
    await appendFile(join(dir, 'media', name), 'x');
    const settings = await machine();
    const refused = await restore(settings, dir);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include(`${name} is not what was backed up; --without-damaged-media restores`);
    expect(await readdir(settings['DATA_DIR'] ?? '')).to.deep.equal([]);
    const done = await restore(settings, dir, '--no-erasures', '--without-damaged-media');
    expect(done, done.stderr).to.include({ code: 0 });
    expect(done.stdout).to.include(`Left out, because it is damaged: ${name}\n`);
    expect(
      await readdir(join(settings['DATA_DIR'] ?? '', 'media'), { recursive: true }).catch(() => []),
    ).not.to.include(name);
  });

  it('are refused over the data of another server, which stays as it is', async () => {
    const url = await freshDatabase();
    const db = openDatabase({ url, max: 1, applicationName: 'spec' });
    await db.query('create schema eventlog; create table eventlog.events as select 1 as position');
    const settings: Record<string, string> = { ...(await machine()), DATABASE_URL: url };
    const { code, stderr } = await restore(settings, whole);
    expect([code, stderr.trim().split('\n').at(-1)]).to.deep.equal([
      1,
      'There is something in eventlog.events already: a backup is restored into a new DATA_DIR or an empty database',
    ]);
    const schemas = await db.query(`select 1 from pg_namespace where nspname = 'durable'`);
    expect(schemas, 'nothing was migrated').to.deep.equal([]);
    expect(await readdir(settings['DATA_DIR'] ?? '')).to.deep.equal([]);
    await db.close();
  });

  it('require the right keys beside them when they have none', async () => {
    const bare = join(folder, 'bare');
    expect((await rookeryBeside(town.app, 'backup', bare, '--no-keys', '--no-media')).code).to.equal(0);
    expect(await readdir(bare)).not.to.include.members(['keys.json', 'media']);
    const settings = await machine();
    const none = await restore(settings, bare);
    expect(none.code).to.equal(1);
    expect(none.stderr).to.match(/^The keys are not in this backup: put keys.json into /);
    const { DATA_DIR: elsewhere = '' } = await machine();
    const app = await openApp(
      loadConfig({ ...settings, DATA_DIR: elsewhere, DATABASE_URL: await freshDatabase() }),
      pino({ level: 'silent' }),
    );
    await app.close();
    const keys = (dir: string): Promise<string> => readFile(join(dir, 'keys.json'), 'utf8');
    const wrong = await restore({ ...settings, ROOKERY_KEYS: await keys(elsewhere) }, bare);
    expect(wrong.code).to.equal(1);
    expect(wrong.stderr).to.equal('The keys in ROOKERY_KEYS are not those of the backup\n');
    const right = await restore({ ...settings, ROOKERY_KEYS: await keys(town.app.config.dataDir) }, bare);
    expect(right.code, right.stderr).to.equal(0);
  });

  it('let no server start after half a restore until the same restore has finished', async () => {
    const settings = await machine();
    const url = settings['DATABASE_URL'] ?? '';
    const manifest = await readManifest(whole);
    await migrate(url, manifest.migrations);
    await (await openPostgresEventStore(url)).close();
    const db = openDatabase({ url, max: 1, applicationName: 'spec', statementTimeout: 0 });
    await loadBackup(db, { dir: whole, manifest, box: town.app.keys.master.backupBox() }, () => undefined);
    await db.close();
    await writeFile(join(settings['DATA_DIR'] ?? '', 'keys.json'), await readFile(join(whole, 'keys.json')));
    const early = await inTurn(['projections', 'list'], settings);
    expect([early.code, early.stderr]).to.deep.equal([
      1,
      'A restore of this database was not finished: give the same "rookery restore" again\n',
    ]);
    const { code, stderr } = await restore(settings, whole);
    expect(code, stderr).to.equal(0);
    expect((await inTurn(['projections', 'list'], settings)).code).to.equal(0);
  });

  it('let no server start after a restore that was killed early until the same restore has finished', async () => {
    for (const settings of [await machine(), { ...(await machine()), DATABASE_URL: '' }]) {
      const marker = join(settings['DATA_DIR'] ?? '', 'restoring');
      const killed = spawn('bin/rookery', ['restore', whole, '--no-erasures'], {
        env: { PATH: process.env['PATH'], ...settings },
        detached: true,
      });
      await eventually(() => stat(marker));
      // The whole process group, with the programs that create the database.
      process.kill(-(killed.pid ?? 0), 'SIGKILL');
      await once(killed, 'exit');
      const started = await startRookery({ ...settings, PORT: '0' }).catch((error: Error) => error.message);
      expect(started).to.match(
        /\(1\):\nA restore (from|of) .* was not finished: give the same "rookery restore" again/,
      );
      const made = await inTurn(['accounts', 'create', 'eve', '--email', 'eve@example.org'], settings);
      expect(made.stderr).to.match(/was not finished/);
      const { code, stderr } = await restore(settings, whole);
      expect(code, stderr).to.equal(0);
      expect((await inTurn(['projections', 'list'], settings)).code).to.equal(0);
    }
  });

  it('are refused when a later version made them', async () => {
    const later = await copyOf('later');
    const text = await readFile(join(later, 'backup.json'), 'utf8');
    const manifest = JSON.parse(text) as { migrations: string[] };
    manifest.migrations.push('29990101000000_wonders');
    await writeFile(join(later, 'backup.json'), JSON.stringify(manifest));
    const { stderr } = await restore(await machine(), later);
    expect(stderr).to.match(/^This backup was made by a later version/);
  });

  it('do not bring back an IP block that was lifted afterwards', async () => {
    const ip = '192.0.2.77';
    const block = (...args: string[]): Promise<Result> => rookeryBeside(town.app, 'ip-blocks', ...args);
    expect((await block('add', ip, '--severity', 'sign_up_block', '--comment', 'a neighbour')).code).to.equal(
      0,
    );
    await town.waitUntilIdle();
    const dir = join(folder, 'with-block');
    expect((await rookeryBeside(town.app, 'backup', dir)).code).to.equal(0);
    await block('remove', ip);
    await town.waitUntilIdle();
    const settings = await machine();
    const restored = await restore(settings, dir, '--erasures', town.app.config.erasureList);
    expect(restored.code, restored.stderr).to.equal(0);
    expect(restored.stdout).to.contain('Erased again: 1 of 1');
    const listed = await inTurn(['ip-blocks', 'list'], settings);
    expect(listed.stdout).not.to.contain(ip);
    const verified = await inTurn(['projections', 'verify'], settings);
    expect(verified.code, verified.stderr).to.equal(0);
  });
});

describe('The list of erasures', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-erasures-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('names a subject before its key is destroyed, and survives a truncated line', async () => {
    const path = join(folder, 'deep', 'erasures.ndjson');
    const list = new ErasureList(path);
    await list.before(async () => {
      expect(await readErasures(path)).to.deep.equal(new Set(['12']));
    })('12');
    await appendFile(path, '\n{"subject":"34","destr');
    await list.before(() => Promise.resolve())('56');
    expect(await readErasures(path)).to.deep.equal(new Set(['12', '56']));
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
  });

  it('is completed from the database, once', async () => {
    const url = await freshDatabase();
    await migrate(url);
    const db = openDatabase({ url, max: 1, applicationName: 'spec' });
    await db.query(
      `insert into durable.subject_keys (subject, wrapped, destroyed_at)
       select n::text, null, now() from generate_series(1, 2500) n`,
    );
    await db.query(`insert into durable.subject_keys (subject, wrapped) values ('alive', 'x')`);
    const path = join(folder, 'completed.ndjson');
    const list = new ErasureList(path);
    await list.complete(db);
    await list.complete(db);
    await db.close();
    expect((await readErasures(path)).size).to.equal(2_500);
    expect((await readFile(path, 'utf8')).split('\n').filter(Boolean)).to.have.length(2_500);
  });
});
