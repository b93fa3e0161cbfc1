import { altered } from '../kernel/altered.ts';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import type { Logger } from 'pino';
import { recordRestore } from '../../commands/admin/audit/index.ts';
import { blameSetting } from '../app/blame-setting.ts';
import { openApp, type App } from '../app/app.ts';
import {
  assertIntact,
  beginRestore,
  copyMediaIn,
  endRestore,
  filesOf,
  finishRestore,
  loadBackup,
  refuseFilled,
  readErasures,
  readManifest,
  restoreJobs,
  unfinishedRestore,
  type Manifest,
} from '../operations/backup/index.ts';
import { loadConfig, type Config } from '../config/config.ts';
import type { EventStore } from '../storage/eventlog/port.ts';
import { openPostgresEventStore } from '../storage/eventlog/postgres.ts';
import { STREAM_NAMES } from '../events/streams.ts';
import { verifierKeyOf } from '../operations/transparency-log/index.ts';
import { invalid, RookeryError } from '../kernel/errors.ts';
import { OPERATOR } from '../kernel/event.ts';
import { loadOrCreateKeys, placeKeys } from '../config/keys.ts';
import { openDatabase } from '../storage/postgres/db.ts';
import { migrate, unknownMigrations } from '../storage/postgres/migrations/index.ts';
import { destroyedSubjects, eraseAllAgain } from './erase-again.ts';
import { countProgress, showProgress } from './progress.ts';
import { withDatabase } from './with-database.ts';
import { confirm } from './output.ts';

interface RestoreOptions {
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
    .action((dir: string, options: RestoreOptions) => restore(resolve(dir), options));
}

async function restore(dir: string, { erasures }: RestoreOptions): Promise<void> {
  if (erasures === undefined) {
    throw invalid(
      'Say by --erasures FILE who was erased since the backup, or by --no-erasures that nobody was',
    );
  }
  const manifest = await readManifest(dir);
  const subjects = erasures === false ? new Set<string>() : await erasedSubjects(erasures);
  const settings = loadConfig();
  checkSettings(settings, manifest);
  await assertIntact(dir, filesOf(manifest));
  await checkKeys(settings, dir, manifest);
  if (settings.database.url === undefined && !(await hasDatabase(settings))) {
    await beginRestore(settings.dataDir, dir);
  }
  await withDatabase(async ({ config, url, logger }) => {
    await load(url, config, dir, manifest);
    await finish(config, logger, { dir, manifest, subjects });
  }, settings);
  const { media, position, taken_at } = manifest;
  if (media === 'bucket' || (media === 'files' && settings.media.s3)) {
    confirm('Files of media are to be in the bucket: nothing was copied there');
  }
  confirm(`Restored: position ${position}, as of ${taken_at}`, { position, taken_at });
}

const hasDatabase = async ({ dataDir }: Config): Promise<boolean> =>
  (await stat(join(dataDir, 'postgres')).catch(() => undefined)) !== undefined;

/**
 * @throws RookeryError `not_found` for a missing list, because a mistyped name must not restore erased users
 */
async function erasedSubjects(file: string): Promise<Set<string>> {
  if ((await stat(file).catch(() => undefined))?.isFile() === true) return readErasures(file);
  throw new RookeryError('not_found', `There is no file ${file}`);
}

/** @throws RookeryError `invalid` */
function checkSettings(
  { eventStoreUrl, site }: Config,
  { local_domain, log_in, migrations, made_by }: Manifest,
): void {
  if (eventStoreUrl !== undefined && log_in === 'database') {
    throw invalid('The log is in this backup, for PostgreSQL: unset EVENTSTORE_URL');
  }
  if (eventStoreUrl === undefined && log_in === 'eventstoredb') {
    throw invalid('The log is not in this backup: restore EventStoreDB first, and set EVENTSTORE_URL');
  }
  if (site.localDomain !== local_domain) {
    throw invalid(
      `This is a backup of ${local_domain}: set LOCAL_DOMAIN to that, not to ${site.localDomain}`,
    );
  }
  if (unknownMigrations(migrations).length > 0) {
    throw invalid(`This backup was made by a later version (${made_by}): restore it with that`);
  }
}

/** Restores the keys, if the backup contains them. @throws RookeryError `invalid` when other keys exist */
async function checkKeys({ dataDir, secrets, site }: Config, dir: string, manifest: Manifest): Promise<void> {
  if (secrets.keys === undefined) {
    if (manifest.keys) await placeKeys(dataDir, await readFile(join(dir, 'keys.json'), 'utf8'));
    else if (!(await stat(join(dataDir, 'keys.json')).catch(() => undefined))) {
      throw invalid(`The keys are not in this backup: put keys.json into ${dataDir} first`);
    }
  }
  const { checkpointSeed } = await loadOrCreateKeys(dataDir, secrets);
  if (verifierKeyOf(checkpointSeed, site.localDomain) === manifest.log_key) return;
  throw invalid(
    `The keys in ${secrets.keys === undefined ? dataDir : 'ROOKERY_KEYS'} are not those of the backup`,
  );
}

async function copyMedia(
  { dataDir }: Config,
  dir: string,
  list: NonNullable<Manifest['media_list']>,
): Promise<void> {
  const files = countProgress('Copied', `of ${list.rows} files of media`);
  let count = 0;
  await copyMediaIn(dir, list, join(dataDir, 'media'), () => files.update((count += 1))).finally(files.stop);
}

/**
 * Loads the files, then all rows in one transaction. Skips both when an earlier run completed them, since
 * users may have been erased meanwhile.
 * @throws RookeryError `conflict` when the database contains something else
 */
async function load(url: string, settings: Config, dir: string, manifest: Manifest): Promise<void> {
  await migrate(url, manifest.migrations);
  // Opening the log creates its table in the database.
  const store = await openLog(url, settings);
  const head = settings.eventStoreUrl === undefined ? undefined : await store.head();
  await store.close();
  const db = openDatabase({ url, max: 1, applicationName: 'rookery restore', statementTimeout: 0 });
  const all = [manifest.log, ...manifest.tables].reduce((sum, { rows }) => sum + rows, 0);
  const progress = showProgress('Restoring', 'rows');
  try {
    if ((await unfinishedRestore(db)) === manifest.id) return;
    await refuseFilled(db, manifest);
    await beginRestore(settings.dataDir, dir);
    if (manifest.media_list && !settings.media.s3) await copyMedia(settings, dir, manifest.media_list);
    const onRows = (rows: number): void =>
      progress.update({ position: BigInt(rows), head: BigInt(all), events: rows });
    await loadBackup(db, dir, manifest, onRows, head);
  } finally {
    progress.stop();
    await db.close();
  }
}

async function openLog(url: string, { eventStoreUrl }: Config): Promise<EventStore> {
  if (eventStoreUrl === undefined) return openPostgresEventStore(url);
  const { openEventStoreDb } = await import('../storage/eventlog/eventstoredb.ts');
  return blameSetting('EVENTSTORE_URL', openEventStoreDb(eventStoreUrl, { streams: STREAM_NAMES }));
}

interface Rest {
  dir: string;
  manifest: Manifest;
  subjects: ReadonlySet<string>;
}

/** Builds the read models, repeats the erasures since the backup, and lets servers start. */
async function finish(config: Config, logger: Logger, { dir, manifest, subjects }: Rest): Promise<void> {
  const app = await openApp(config, logger, { restoring: true });
  try {
    await app.transparencyLog.forgetCheckpointFile();
    const { id: backup_id, taken_at, position } = manifest;
    await recordRestore(app.systemContext(OPERATOR), { backup_id, taken_at, position });
    // Rows of a backup may be erased already although the log, which is older, does not say so.
    const again =
      manifest.log_in === 'eventstoredb'
        ? await destroyedSubjects(app.db, subjects)
        : await notErased(app, subjects);
    await eraseAllAgain(app, again);
    await restoreJobs(app.contextDependencies.services.jobs, dir, manifest.jobs, Date.now());
    // The checkpoints of a log in EventStoreDB may cover events that it has lost.
    if (manifest.log_in === 'eventstoredb') await app.transparencyLog.record();
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
