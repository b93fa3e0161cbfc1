import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '#config/config.ts';
import { altered } from '#kernel/altered.ts';
import { ignoreMissing } from '#kernel/files.ts';
import { type Manifest, readManifest, verifyBackedUpLog } from '#operations/backup/index.ts';
import { printResult } from './output.ts';
import { countProgress } from './progress.ts';
import { checkFiles, logKeyIn } from './restore-checks.ts';

interface VerifyOptions {
  key?: string;
  unsigned?: true;
}

/** Adds `rookery backup verify`, which needs neither a database nor the settings of the server. */
export function addBackupVerification(backup: Command): void {
  backup
    .command('verify')
    .description('Check the signature, every file and the log of a backup, without restoring it')
    .argument('<dir>', 'the folder that "rookery backup" made')
    .option('--key <key>', 'the key of the log, as "rookery log key" prints it')
    .option('--unsigned', 'accept a backup of a version before 0.2, which has no signature')
    .action((dir: string, options: VerifyOptions) => verify(resolve(dir), options));
}

async function verify(dir: string, { key, unsigned }: VerifyOptions): Promise<void> {
  const manifest = await readManifest(dir);
  const expected = key?.trim() ?? (await keyIn(dir, manifest));
  if (expected !== undefined && expected !== manifest.log_key) {
    throw altered(`The backup names the key ${manifest.log_key}, not ${expected}`);
  }
  await checkFiles(dir, manifest, { ...(unsigned ? { unsigned } : {}), media: true });
  const counting = countProgress('Verified', 'events');
  const verdict = await verifyBackedUpLog(dir, manifest, manifest.log_key, counting.update).finally(
    counting.stop,
  );
  if (verdict?.problem !== undefined) throw altered(verdict.problem);
  const { position, taken_at, tables, media_list } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const facts = {
    position,
    taken_at,
    events: verdict?.events ?? null,
    checkpoints: verdict?.agreed ?? null,
    rows,
    media: media_list?.rows ?? 0,
    key: manifest.log_key,
    key_checked: expected !== undefined,
  };
  const log = verdict ? `${verdict.events} events, ${verdict.agreed} checkpoint(s) agree` : 'no log';
  printResult(
    `Intact: position ${position}, as of ${taken_at}; ${log}; ${rows} rows of ${tables.length} tables, ${facts.media} files of media`,
    facts,
  );
  if (expected === undefined) {
    printResult(`Signed by a key that only the backup names: compare it with yours, ${manifest.log_key}`, {
      warning: 'key not checked',
    });
  }
}

/** Returns the key of the log by the key file in the backup; undefined where it has none. */
async function keyIn(dir: string, { keys, local_domain }: Manifest): Promise<string | undefined> {
  if (!keys) return undefined;
  const text = await readFile(join(dir, 'keys.json'), 'utf8').catch(ignoreMissing);
  if (text === undefined) throw altered(`${join(dir, 'keys.json')} is missing`);
  return logKeyIn(text, loadConfig({}).secrets, local_domain);
}
