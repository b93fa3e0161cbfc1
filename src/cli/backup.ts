import { resolve } from 'node:path';
import { Command } from 'commander';
import { keyText } from '#config/keys.ts';
import { VERSION } from '#config/version.ts';
import { createBackup, noteBackup } from '#operations/backup/index.ts';
import { parseCheckpoint } from '#operations/transparency-log/index.ts';
import { addBackupVerification } from './backup-verify.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm } from './output.ts';
import { countProgress, showProgress } from './progress.ts';

interface BackupOptions {
  keys: boolean;
  media: boolean;
}

export function backupCommand(): Command {
  const backup = new Command('backup')
    .description(
      'Copy the log, durable tables, keys and media of a running server into a folder of their own',
    )
    .argument(
      '<dir>',
      'a folder that is empty or not there yet; what a broken off backup left there is removed',
    )
    .option('--no-keys', 'leave out keys.json, to be kept elsewhere: without it the backup cannot be read')
    .option('--no-media', 'leave out the files of media')
    .action((dir: string, options: BackupOptions) =>
      asOperator((operator) => backUp(operator, resolve(dir), options)),
    );
  addBackupVerification(backup);
  return backup;
}

async function backUp({ app }: Operator, dir: string, { keys, media }: BackupOptions): Promise<void> {
  const { config } = app;
  // Everything in the backup can be proven, including the last event.
  const { size } = parseCheckpoint(await app.transparencyLog.record());
  const copying = showProgress('Copying the log');
  const files = countProgress('Copied', 'files of media');
  const manifest = await createBackup({
    dir,
    db: app.projectionDb,
    madeBy: VERSION,
    localDomain: config.site.localDomain,
    logKey: app.transparencyLog.verifierKey,
    sign: app.transparencyLog.sign,
    logIn: config.eventStoreUrl === undefined ? 'database' : 'eventstoredb',
    box: app.keys.master.backupBox(),
    keys: keys ? await keyText(config.dataDir, config.secrets) : undefined,
    media: !media ? 'none' : config.media.s3 ? 'bucket' : { folder: resolve(config.dataDir, 'media') },
    onLog: copying.update,
    onMedia: files.update,
  }).finally(() => {
    copying.stop();
    files.stop();
  });
  await noteBackup(app.db, dir, manifest);
  const { position, taken_at, log, tables, media_list } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (config.eventStoreUrl === undefined) {
    const facts = { dir, events: log.rows, position, taken_at };
    confirm(`${dir}: ${log.rows} events up to position ${position}, as of ${taken_at}`, facts);
  } else {
    confirm('The event log is not in it: it is in EventStoreDB, whose backup has to be older than this one');
    confirm(
      `${dir}: as of ${taken_at}; checkpoint of ${size} events, read models up to position ${position}`,
      { dir, events: size, position, taken_at },
    );
  }
  confirm(`${rows} rows of ${tables.length} tables, ${media_list?.rows ?? 0} files of media`);
  if (config.media.s3 && media) confirm('The bucket with the media is not in it');
  if (!keys) confirm('keys.json is not in it: without that file nobody can read it');
  confirm(`To restore it, have the list of later erasures at hand as well: ${config.erasureList}`);
}
