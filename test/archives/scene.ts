import { randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readTarGz } from '#adapters/account-archive/tar.ts';
import type { App } from '#app/app.ts';
import type { Archive } from '#kernel/services/archives.ts';
import { eventually } from '../support/eventually.ts';

/** Waits until the archive of an account is ready or has failed. */
export async function made(app: App, accountId: string): Promise<Archive> {
  let found: Archive | undefined;
  await eventually(async () => {
    found = await app.contextDependencies.services.archives.of(accountId);
    expect(found?.state).to.be.oneOf(['ready', 'failed']);
  });
  return found!;
}

/** Unpacks an archive. */
export async function filesIn(bytes: Buffer): Promise<Map<string, Buffer>> {
  const path = join(tmpdir(), `rookery-spec-${randomUUID()}`);
  await writeFile(path, bytes);
  const files = new Map<string, Buffer>();
  for await (const { name, data } of readTarGz(path, 10_000_000)) files.set(name, data ?? Buffer.alloc(0));
  await rm(path);
  return files;
}

/** The contents of the archive folder: stored files and files in work. */
export async function kept(dataDir: string): Promise<{ files: string[]; work: string[] }> {
  const folder = join(dataDir, 'archives');
  const names = async (path: string): Promise<string[]> => (await readdir(path).catch(() => [])).sort();
  return {
    files: (await names(folder)).filter((name) => name !== 'work'),
    work: await names(join(folder, 'work')),
  };
}

/** Moves the request and the end of an archive this many days to the past. */
export const age = async (app: App, accountId: string, days: number): Promise<void> => {
  await app.db.query(
    `update durable.archives set requested_at = requested_at - make_interval(days => $2),
       finished_at = finished_at - make_interval(days => $2) where account_id = $1`,
    [accountId, days],
  );
};
