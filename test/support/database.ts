import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'mocha';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/postgres/embedded.ts';
import { prepareCluster } from '../../src/postgres/embedded-cluster.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
let server: Promise<EmbeddedPostgres> | undefined;
let folder: string | undefined;

/** A real PostgreSQL for the whole run, started when the first test asks for it. */
async function postgres(): Promise<EmbeddedPostgres> {
  folder = await mkdtemp(join(tmpdir(), 'rookery-test-'));
  const { dir } = await prepareCluster(folder);
  // Nothing here has to outlive a crash of the machine.
  await appendFile(join(dir, 'postgresql.conf'), 'fsync = off\nfull_page_writes = off\n');
  return startEmbeddedPostgres({ dataDir: folder, log: silent });
}

/** @returns the URL of a fresh, empty database; a copy of `template` where one is given, which nobody may use then */
export async function freshDatabase(template = 'template1'): Promise<string> {
  const { url } = await (server ??= postgres());
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  return withDatabase(url, name);
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.toString();
}

after(async function () {
  // Its last checkpoint writes what hundreds of databases left.
  this.timeout(120_000);
  if (!server) return;
  await (await server).stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});
