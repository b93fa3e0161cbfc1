import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prepareCluster } from '#storage/embedded/cluster.ts';

let made: Promise<string> | undefined;

/**
 * Gives a data folder a copy of an initialised PostgreSQL cluster. Copying takes a tenth of the time of
 * `initdb`.
 */
export async function copyCluster(dataDir: string): Promise<void> {
  // The folder belongs to another user when root runs the tests.
  await promisify(execFile)('cp', ['-a', join(await (made ??= make()), 'postgres'), dataDir]);
}

async function make(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-cluster-'));
  await prepareCluster(dataDir);
  process.once('exit', () => rmSync(dataDir, { recursive: true }));
  return dataDir;
}
