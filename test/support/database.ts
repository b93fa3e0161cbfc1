import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'mocha';
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/postgres/embedded.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
let server: Promise<EmbeddedPostgres> | undefined;
let folder: string | undefined;

/** A real PostgreSQL for the whole run, started when the first test asks for it. */
async function postgres(): Promise<EmbeddedPostgres> {
  folder = await mkdtemp(join(tmpdir(), 'rookery-test-'));
  return startEmbeddedPostgres({ dataDir: folder, log: silent });
}

/** @returns the URL of a fresh, empty database */
export async function freshDatabase(): Promise<string> {
  const { url } = await (server ??= postgres());
  const name = `test_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
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
