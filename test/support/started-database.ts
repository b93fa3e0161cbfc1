import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openJobQueue } from '#adapters/jobs/queue.ts';
import { openApp } from '#app/app.ts';
import { loadConfig } from '#config/config.ts';
import { jobHandlers } from '#reactors/index.ts';
import { freshDatabase } from './database.ts';

interface FirstStart {
  database: string;
  /** The text of `keys.json`. */
  keys: string;
}
let first: Promise<FirstStart> | undefined;

/**
 * Returns the URL of a database in the state after the first start and the first job: copying its empty
 * tables is faster than creating them.
 */
export const startedDatabase = async (): Promise<string> =>
  freshDatabase((await (first ??= startOnce())).database);

/** Gives a data folder the keys of that start, since generating keys is slow. */
export const copyKeys = async (dataDir: string): Promise<void> =>
  writeFile(join(dataDir, 'keys.json'), (await (first ??= startOnce())).keys, { mode: 0o600 });

async function startOnce(): Promise<FirstStart> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-template-'));
  const url = await freshDatabase();
  const app = await openApp(loadConfig({ DATA_DIR: dataDir, DATABASE_URL: url }), pino({ level: 'silent' }));
  await app.close();
  await makeQueues(url);
  const keys = await readFile(join(dataDir, 'keys.json'), 'utf8');
  await rm(dataDir, { recursive: true, force: true });
  return { database: new URL(url).pathname.slice(1), keys };
}

/** The tables of the job queue, which the first job of a server creates. */
async function makeQueues(url: string): Promise<void> {
  const queue = await openJobQueue({
    url,
    onError: (error) => {
      throw error;
    },
  });
  for (const { name } of jobHandlers) queue.work(name, () => Promise.resolve(), {});
  await queue.close();
}
