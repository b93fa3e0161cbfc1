import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { prepareCluster } from '#storage/embedded/cluster.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded.ts';
import { findPostmaster } from '#storage/embedded/postmaster.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
let server: Promise<string> | undefined;

/** Starts one PostgreSQL for all specs of this process, on first use. @returns its URL */
const startPostgres = (): Promise<string> => (server ??= startServer());

async function startServer(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-test-'));
  const { dir } = await prepareCluster(dataDir);
  // No data here needs to survive a crash of the machine.
  await appendFile(join(dir, 'postgresql.conf'), 'fsync = off\nfull_page_writes = off\nautovacuum = off\n');
  const { url } = await startEmbeddedPostgres({ dataDir, log: silent });
  const postmaster = await findPostmaster(dir);
  process.once('exit', () => {
    // Stops at once: a final checkpoint would write out hundreds of databases.
    if (postmaster) process.kill(postmaster.pid, 'SIGQUIT');
    spawn('rm', ['-rf', dataDir], { detached: true, stdio: 'ignore' }).unref();
  });
  return url;
}

/**
 * Creates a database, empty or as a copy of `template`, which must have no open connections. @returns its URL
 */
export async function freshDatabase(template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name} template ${template}`);
  return withDatabase(await startPostgres(), name);
}

/** Drops a database that has no users left: hundreds of them fill the disk and keep autovacuum busy. */
export const dropDatabase = (url: string): Promise<void> =>
  administer(`drop database ${new URL(url).pathname.slice(1)}`);

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: await startPostgres() });
  await client.connect();
  await client.query(statement);
  await client.end();
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.toString();
}
