import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import pg from 'pg';
import pino from 'pino';
import {
  connectEmbedded,
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '#storage/embedded/embedded.ts';
import { copyCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { processesWith } from '../support/processes.ts';

const log = pino({ level: 'silent' });

describe('The embedded PostgreSQL', () => {
  let dataDir: string;
  let started: EmbeddedPostgres[] = [];
  let holders: ChildProcess[] = [];

  const start = async (options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> => {
    const postgres = await startEmbeddedPostgres({ dataDir, log, ...options });
    started.push(postgres);
    return postgres;
  };

  /** Another process that uses the same folder; resolves when it is connected. */
  const startElsewhere = async (): Promise<{ url: string; child: ChildProcess }> => {
    const script = new URL('hold-postgres.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [script, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
    holders.push(child);
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { url, child };
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rookery-postgres-'));
  });

  afterEach(async () => {
    for (const child of holders) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all(started.map((postgres) => postgres.stop()));
    // Another use finds and stops the remains of a killed process.
    if (existsSync(join(dataDir, 'postgres'))) await (await startEmbeddedPostgres({ dataDir, log })).stop();
    [started, holders] = [[], []];
    await rm(dataDir, { recursive: true, force: true });
  });

  it('has a database of Unicode text in byte order, owned by a role that is no superuser', async () => {
    const { url } = await start();
    const [row] = await query(
      url,
      `SELECT upper('é') AS upper, 'Z' < 'a' AS bytes, current_setting('is_superuser') AS super`,
    );
    expect(row).to.deep.equal({ upper: 'É', bytes: true, super: 'off' });
  });

  it('listens only on a socket in a private folder, and requires a password', async () => {
    const { url } = await start();
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).to.equal(0o700);
    expect((await stat(join(dataDir, 'postgres/password'))).mode & 0o777).to.equal(0o600);
    expect(await query(url, 'SHOW listen_addresses')).to.deep.equal([{ listen_addresses: '' }]);
    const wrong = url.replace(/:[0-9a-f]+@/, ':guess@');
    expect(await query(wrong, 'SELECT 1').catch((error: Error) => error.message)).to.include('password');
  });

  it('listens on loopback when the path is too long for a socket', async () => {
    const { url, stop } = await start({ dataDir: join(dataDir, 'long'.repeat(20)) });
    expect(new URL(url).hostname).to.equal('127.0.0.1');
    expect(await query(url, 'SHOW listen_addresses')).to.deep.equal([{ listen_addresses: '127.0.0.1' }]);
    await stop();
  });

  it('completes a data directory after an aborted first start', async () => {
    await mkdir(join(dataDir, 'postgres.new-halfway/cluster'), { recursive: true });
    await start();
    expect(await readdir(dataDir)).to.have.members(['postgres', 'postgres.lock']);
  });

  it('lets several processes start at once: one serves, the others attach', async () => {
    const [here, there] = await Promise.all([start(), startElsewhere()]);
    const also = await connectEmbedded(dataDir, log);
    started.push(also);
    expect(there.url).to.equal(here.url);
    expect(also.url).to.equal(here.url);
  });

  it('serves two folders beside each other', async () => {
    const other = await mkdtemp(join(tmpdir(), 'rookery-postgres-'));
    const [here, there] = await Promise.all([start(), start({ dataDir: other })]);
    expect(there.url).not.to.equal(here.url);
    await there.stop();
    await rm(other, { recursive: true });
  });

  describe('on data of an earlier start', () => {
    beforeEach(() => copyCluster(dataDir));

    it('gets a little less of the processors than the server that queries it', async () => {
      await start();
      // The niceness is 19 at most.
      expect(getPriority(await postmasterPid(dataDir))).to.equal(Math.min(getPriority() + 2, 19));
    });

    it('keeps its data from one start to the next', async () => {
      const first = await start();
      await query(first.url, `CREATE TABLE kept AS SELECT 'yes' AS answer`);
      await first.stop();
      expect(await query((await start()).url, 'SELECT answer FROM kept')).to.deep.equal([{ answer: 'yes' }]);
    });

    it('starts PostgreSQL again when it was killed, at the same address', async () => {
      const lost: Error[] = [];
      const first = await start({ onLost: (reason) => lost.push(reason) });
      await query(first.url, `CREATE TABLE kept AS SELECT 'yes' AS answer`);
      process.kill(await postmasterPid(dataDir), 'SIGKILL');
      await eventually(async () =>
        expect(await query(first.url, 'SELECT answer FROM kept')).to.deep.equal([{ answer: 'yes' }]),
      );
      expect(lost).to.deep.equal([]);
    });

    it('reports a loss that it cannot mend', async () => {
      const lost: Error[] = [];
      await start({ onLost: (reason) => lost.push(reason) });
      const pid = await postmasterPid(dataDir);
      await rename(join(dataDir, 'postgres/cluster/base'), join(dataDir, 'postgres/cluster/gone'));
      process.kill(pid, 'SIGKILL');
      await until(() => lost.length > 0);
      expect(lost[0]?.message).to.equal('The embedded PostgreSQL has gone away');
      await rename(join(dataDir, 'postgres/cluster/gone'), join(dataDir, 'postgres/cluster/base'));
    });

    it('ends by itself when the only process that uses it is killed, and keeps its data', async () => {
      const { url, child } = await startElsewhere();
      await query(url, `CREATE TABLE kept AS SELECT 'yes' AS answer`);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await eventually(async () => expect(await processesWith(dataDir)).to.deep.equal([]));
      expect(await query((await start()).url, 'SELECT answer FROM kept')).to.deep.equal([{ answer: 'yes' }]);
    });

    it('continues for another process that uses it when the one that started it is killed', async () => {
      const { url, child } = await startElsewhere();
      const attached = await start();
      const pid = await postmasterPid(dataDir);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(await query(url, 'SELECT pg_sleep(0.5), 1 AS one')).to.deep.equal([{ pg_sleep: '', one: 1 }]);
      expect(await postmasterPid(dataDir)).to.equal(pid);
      await attached.stop();
      await eventually(async () => expect(await processesWith(dataDir)).to.deep.equal([]));
    });

    it('leaves no process behind when it was killed, started again and then stopped', async () => {
      const { url, stop } = await start();
      process.kill(await postmasterPid(dataDir), 'SIGKILL');
      await eventually(() => query(url, 'SELECT 1'));
      await stop();
      await eventually(async () => expect(await processesWith(dataDir)).to.deep.equal([]));
    });

    it('recovers when both were killed and another process has the id now', async () => {
      await (await start()).stop();
      const file = join(dataDir, 'postgres/cluster/postmaster.pid');
      await writeFile(
        file,
        `${process.pid}\n${dataDir}/postgres/cluster\n1\n5432\n${dataDir}/postgres\n\n\nready\n`,
      );
      await writeFile(join(dataDir, 'postgres/.s.PGSQL.5432.lock'), `${process.pid}\n`);
      expect(await query((await start()).url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    });

    it('continues for the others when the process that started it stops, and stops with the last', async () => {
      const { url, child } = await startElsewhere();
      const attached = await connectEmbedded(dataDir, log);
      const pid = await postmasterPid(dataDir);
      child.stdin?.end();
      await once(child, 'exit');
      expect(await query(url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
      await attached.stop();
      expect(() => process.kill(pid, 0)).to.throw('ESRCH');
    });

    it('continues for a process that is not connected again after its session was killed', async () => {
      const { url, stop } = await start();
      const { child } = await startElsewhere();
      const pid = await postmasterPid(dataDir);
      child.kill('SIGSTOP');
      await query(url, KILL_NEWEST_LEASE);
      await stop();
      const next = await start();
      expect(await query(next.url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
      expect(await postmasterPid(dataDir)).to.equal(pid);
      await next.stop();
      child.kill('SIGCONT');
      child.stdin?.end();
      await once(child, 'exit');
      await eventually(async () => expect(await processesWith(dataDir)).to.deep.equal([]));
    });

    it('works below a folder that only root may enter', async function () {
      if (process.getuid?.() !== 0) this.skip();
      await chmod(dataDir, 0o700);
      expect(await query((await start()).url, 'SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    });

    it('refuses data of another version of PostgreSQL, with an explanation', async () => {
      await (await start()).stop();
      const file = join(dataDir, 'postgres/cluster/PG_VERSION');
      const version = await readFile(file, 'utf8');
      await writeFile(file, '9.6\n');
      expect(await start().catch((error: Error) => error.message)).to.include('was made by PostgreSQL 9.6');
      await writeFile(file, version);
    });
  });
});

const KILL_NEWEST_LEASE = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'rookery-lease' ORDER BY backend_start DESC LIMIT 1`;

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 10));
}
