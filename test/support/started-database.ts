import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { freshDatabase } from './database.ts';

let template: Promise<string> | undefined;

/** @returns the URL of a database as the first start leaves it: copying its empty tables is quicker than making them */
export const startedDatabase = async (): Promise<string> =>
  freshDatabase(await (template ??= makeTemplate()));

async function makeTemplate(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-template-'));
  const url = await freshDatabase();
  const app = await openApp(loadConfig({ DATA_DIR: dataDir, DATABASE_URL: url }), pino({ level: 'silent' }));
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
  return new URL(url).pathname.slice(1);
}
