import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { type App, openApp } from '#app/app.ts';
import { blameSetting } from '#app/blame-setting.ts';
import { recordRestore } from '#commands/admin/audit/index.ts';
import { type Config, loadConfig } from '#config/config.ts';
import { placeKeys } from '#config/keys.ts';
import { STREAM_NAMES } from '#events/streams.ts';
import { altered } from '#kernel/altered.ts';
import { invalid } from '#kernel/errors.ts';
import { OPERATOR } from '#kernel/event.ts';
import { sizeText } from '#kernel/quantities.ts';
import {
  beginRestore,
  type Behind,
  copyMediaIn,
  endRestore,
  filesOf,
  finishRestore,
  loadBackup,
  type Manifest,
  type OpenBackup,
  readManifest,
  refuseFilled,
  restoreJobs,
  unfinishedRestore,
} from '#operations/backup/index.ts';
import { parseCheckpoint } from '#operations/transparency-log/index.ts';
import { isEncoded } from '#storage/eventlog/codec.ts';
import type { EventStore } from '#storage/eventlog/port.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { destroyedSubjects, eraseAllAgain } from './erase-again.ts';
import { explainFullDisk, type FullDisk } from './full-disk.ts';
import { confirm, printResult } from './output.ts';
import { countProgress, showProgress } from './progress.ts';
import {
  checkFiles,
  checkKeys,
  checkMasterKey,
  checkSettings,
  erasedSubjects,
  type FileOptions,
} from './restore-checks.ts';
import { describeShorterLog } from './shorter-log.ts';
import { withDatabase } from './with-database.ts';

interface RestoreOptions extends FileOptions {
  /** A file; false when the operator says that nothing was erased. */
  erasures?: string | false;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description(
      'Fill a new DATA_DIR, or an empty database, from a backup; after an interruption, the same command continues',
    )
    .argument('<dir>', 'what "rookery backup" made')
    .option(
      '--erasures <file>',
      'the list of erasures of the server that was backed up: they are carried out again',
    )
    .option('--no-erasures', 'nothing was erased since the backup was made')
    .option('--without-damaged-media', 'leave out files of media that are damaged, and list them')
    .option('--unsigned', 'restore a backup of a version before 0.2, which has no signature')
    .action((dir: string, options: RestoreOptions) => restore(resolve(dir), options));
}

async function restore(dir: string, options: RestoreOptions): Promise<void> {
  const { erasures } = options;
  if (erasures === undefined) {
    throw invalid(
      'Say by --erasures FILE who was erased since the backup, or by --no-erasures that nobody was',
    );
  }
  const manifest = await readManifest(dir);
  const subjects = erasures === false ? new Set<string>() : await erasedSubjects(erasures);
  const settings = loadConfig();
  checkSettings(settings, manifest);
  const keys = await checkKeys(settings, dir, manifest);
  const damaged = await checkFiles(dir, manifest, { ...options, media: settings.media.s3 === undefined });
  const box = await checkMasterKey(settings, dir, manifest, keys);
  const source = { dir, manifest, box, subjects, damaged, keys };
  const position = await fill(settings, source).catch(async (error: unknown) => {
    throw await explainFullDisk(error, fullDiskOf(settings, source));
  });
  const { media, taken_at } = manifest;
  if (media === 'bucket' || (media === 'files' && settings.media.s3)) {
    confirm('Files of media are to be in the bucket: nothing was copied there');
  }
  for (const key of damaged) printResult(`Left out, because it is damaged: ${key}`, { damaged: key });
  confirm(`Restored: position ${position}, as of ${taken_at}`, { position, taken_at });
}

/** @returns the position that was restored */
async function fill(settings: Config, source: Source): Promise<string> {
  // A killed restore leaves the remains of a new database, which must not look like a new server.
  if (settings.database.url === undefined && !(await hasDatabase(settings))) {
    await beginRestore(settings.dataDir, source.dir);
  }
  let position = source.manifest.position;
  await withDatabase(async ({ config, url, logger }) => {
    const behind = await load(url, config, source);
    position = await finish(config, logger, source, behind);
  }, settings);
  return position;
}

function fullDiskOf({ dataDir, database }: Config, { manifest }: Source): FullDisk {
  const bytes = filesOf(manifest).reduce((sum, file) => sum + file.bytes, 0);
  return {
    dataDir,
    isDatabaseElsewhere: database.url !== undefined,
    state:
      `The backup has ${sizeText(bytes)} of compressed rows, which need many times that, and ` +
      `${manifest.media_list?.rows ?? 0} files of media. The restore is unfinished, and no server starts on it; ` +
      'the backup is as it was. Free space on that disk, then give the same command again: it continues',
  };
}

/** A backup that passed all checks. */
interface Source extends OpenBackup {
  subjects: ReadonlySet<string>;
  /** Media files to leave out. */
  damaged: ReadonlySet<string>;
  /** The text of the key file to place; undefined where the keys are there already. */
  keys: string | undefined;
}

const hasDatabase = async ({ dataDir }: Config): Promise<boolean> =>
  (await stat(join(dataDir, 'postgres')).catch(() => undefined)) !== undefined;

async function copyMedia(
  { dataDir }: Config,
  { dir, damaged }: Source,
  list: NonNullable<Manifest['media_list']>,
): Promise<void> {
  const files = countProgress('Copied', `of ${list.rows} files of media`);
  let count = 0;
  const onCopied = (): void => files.update((count += 1));
  await copyMediaIn(dir, list, join(dataDir, 'media'), { without: damaged, onCopied }).finally(files.stop);
}

/**
 * Loads the files, then all rows in one transaction. Skips both when an earlier run completed them, since
 * users may have been erased meanwhile.
 * @returns what the backup knew of events that the log does not have
 * @throws RookeryError `conflict` when the database contains something else, which is then unchanged
 */
async function load(url: string, settings: Config, source: Source): Promise<Behind | undefined> {
  const { dir, manifest, keys } = source;
  const db = openDatabase({ url, max: 1, applicationName: 'rookery restore', statementTimeout: 0 });
  const all = [manifest.log, ...manifest.tables].reduce((sum, { rows }) => sum + rows, 0);
  const progress = showProgress('Restoring', 'rows');
  try {
    if ((await unfinishedRestore(db)) !== manifest.id) await refuseFilled(db, manifest);
    await beginRestore(settings.dataDir, dir);
    if (keys !== undefined) await placeKeys(settings.dataDir, keys);
    await migrate(url, manifest.migrations);
    // Opening the log creates its table in the database.
    const store = await openLog(url, settings);
    const head = settings.eventStoreUrl === undefined ? undefined : await store.head();
    await store.close();
    if ((await unfinishedRestore(db)) === manifest.id) return undefined;
    if (manifest.media_list && !settings.media.s3) await copyMedia(settings, source, manifest.media_list);
    const onRows = (rows: number): void =>
      progress.update({ position: BigInt(rows), head: BigInt(all), events: rows });
    return await loadBackup(db, source, onRows, head);
  } finally {
    progress.stop();
    await db.close();
  }
}

async function openLog(url: string, { eventStoreUrl }: Config): Promise<EventStore> {
  if (eventStoreUrl === undefined) return openPostgresEventStore(url);
  const { openEventStoreDb } = await import('#storage/eventlog/eventstoredb.ts');
  return blameSetting(
    'EVENTSTORE_URL',
    openEventStoreDb(eventStoreUrl, { streams: STREAM_NAMES, isMarked: isEncoded }),
  );
}

/**
 * Builds the read models, repeats the erasures since the backup, and lets servers start.
 * @returns the position that was restored
 */
async function finish(
  config: Config,
  logger: Logger,
  source: Source,
  behind: Behind | undefined,
): Promise<string> {
  const { manifest, subjects } = source;
  const app = await openApp(config, logger, { restoring: true });
  try {
    await app.transparencyLog.forgetCheckpointFile();
    const restored = manifest.log_in === 'eventstoredb' ? String(await app.log.head()) : manifest.position;
    if (behind) {
      const { size } = parseCheckpoint(await app.transparencyLog.record());
      printResult(describeShorterLog(behind, size), {
        log_ends_at: restored,
        missing: Math.max(0, behind.recorded - size),
      });
    }
    const { id: backup_id, taken_at, position } = manifest;
    await recordRestore(app.systemContext(OPERATOR), { backup_id, taken_at, position });
    // Rows of a backup may be erased already although the log, which is older, does not say so.
    const again =
      manifest.log_in === 'eventstoredb'
        ? await destroyedSubjects(app.db, subjects)
        : await notErased(app, subjects);
    await eraseAllAgain(app, again);
    await restoreJobs(app.contextDependencies.services.jobs, source, Date.now());
    // The checkpoints of a log in EventStoreDB may cover events that it has lost.
    if (manifest.log_in === 'eventstoredb') await app.transparencyLog.record();
    await app.transparencyLog.renewCheckpointFile();
    const progress = showProgress('Verifying the log');
    const verdict = await app.transparencyLog.verify([], undefined, progress.update).finally(progress.stop);
    if (verdict.problem !== undefined) throw altered(verdict.problem);
    await finishRestore(app.db, manifest.id);
    await endRestore(config.dataDir);
    confirm(`Unaltered: ${verdict.events} events, ${verdict.agreed} checkpoint(s) agree`);
    confirm(
      manifest.log_in === 'eventstoredb'
        ? `Erased again, as far as the log did not know it: ${again.length}`
        : `Erased again: ${again.length} of ${subjects.size} in the list; the others are erased in the backup`,
    );
    return restored;
  } finally {
    await app.close();
  }
}

/** Returns the subjects whose keys the backup still has, or does not know yet. */
async function notErased({ db }: App, subjects: ReadonlySet<string>): Promise<string[]> {
  const erased = await db.query<{ subject: string }>(
    'select subject from durable.subject_keys where destroyed_at is not null and subject = any($1::text[])',
    [[...subjects]],
  );
  const done = new Set(erased.map(({ subject }) => subject));
  return [...subjects].filter((subject) => !done.has(subject));
}
