import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startEmbeddedPostgres } from '#storage/embedded/embedded.ts';
import { openDatabase } from '#storage/postgres/db.ts';
import { copyCluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** A PostgreSQL of its own, which a spec may crash. */
export interface CrashingPostgres {
  url: string;
  /**
   * Kills a process of PostgreSQL after work whose last asynchronous commits are only in memory, and waits until PostgreSQL runs
   * again, without them.
   */
  loseCommitsOf: (work: () => Promise<void>) => Promise<void>;
  stop: () => Promise<void>;
}

export async function startCrashingPostgres(): Promise<CrashingPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-crashing-'));
  await copyCluster(dataDir);
  const cluster = join(dataDir, 'postgres/cluster');
  // No data here needs to survive a crash of the machine.
  await appendFile(join(cluster, 'postgresql.conf'), 'fsync = off\nautovacuum = off\n');
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log: silent });
  return {
    url,
    loseCommitsOf: (work) => loseCommits(url, cluster, work),
    stop: async () => {
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

async function loseCommits(url: string, cluster: string, work: () => Promise<void>): Promise<void> {
  const db = openDatabase({ url, max: 1, applicationName: 'test' });
  const writer = await walWriterOf(cluster);
  process.kill(writer, 'SIGSTOP');
  try {
    // Its synchronous commit writes all earlier ones.
    await db.query(`select pg_logical_emit_message(true, 'test', '')`);
    await work();
    const [unwritten] = await db.query<{ bytes: string }>(
      'select pg_current_wal_insert_lsn() - pg_current_wal_flush_lsn() as bytes',
    );
    expect(Number(unwritten?.bytes)).to.be.greaterThan(0);
  } finally {
    process.kill(writer, 'SIGKILL');
    await db.close();
  }
  await eventually(async () => expect(await walWriterOf(cluster)).not.to.equal(writer));
}

/** Returns the process that writes asynchronous commits, which a running PostgreSQL has. */
async function walWriterOf(cluster: string): Promise<number> {
  const [postmaster] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [stat, title] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    const parent = stat?.split(') ')[1]?.split(' ')[1];
    if (parent === postmaster && title?.includes('walwriter') === true) return Number(pid);
  }
  throw new Error('PostgreSQL has no WAL writer');
}
