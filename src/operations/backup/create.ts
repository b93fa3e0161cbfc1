import { randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RookeryError } from '#kernel/errors.ts';
import { makeFolder } from '#kernel/files.ts';
import type { SealingBox } from '#kernel/master-key.ts';
import type { Db } from '#kernel/read.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';
import type { Database } from '#storage/postgres/db.ts';
import { leafOf } from '../transparency-log/leaf.ts';
import { writeLines } from './lines.ts';
import { type Manifest, type SignText, writeManifest } from './manifest.ts';
import { copyMediaOut } from './media.ts';
import { backedUpTables, CLEAR, LOG_TABLE } from './tables.ts';

/** The progress of a backup or a restore: rows of the database, then media files. */
export interface BackupProgress {
  /** Called with positions of the log while it is copied. */
  onLog: (progress: { position: bigint; head: bigint; events: number }) => void;
  /** Called with the number of media files so far. */
  onMedia: (files: number) => void;
}

export interface BackupOptions extends BackupProgress {
  /** Without a limit on the duration of statements. */
  db: Database;
  /** The target: a folder that does not exist, or an empty one. */
  dir: string;
  madeBy: string;
  localDomain: string;
  /** See `Manifest`. */
  logKey: string;
  /** Signs with that key. */
  sign: SignText;
  logIn: Manifest['log_in'];
  /** Seals the rows of tables and jobs. */
  box: SealingBox;
  /** The text of the key file; undefined to omit it. */
  keys: string | undefined;
  /** The folder of media files, or the reason why there is none. */
  media: { folder: string } | 'bucket' | 'none';
}

/** Rows per read. */
const PAGE = 1_000;
/** Marks a folder until the backup is complete. */
const UNFINISHED = 'unfinished';

/**
 * Copies the log, durable tables, jobs, keys and media into a folder, beside a running server. One
 * transaction reads the whole database page by page, at the speed of the disk, so the backup shows one
 * moment. Read models are omitted.
 * @throws RookeryError `conflict` for a folder that contains anything but an unfinished backup
 */
export async function createBackup(options: BackupOptions): Promise<Manifest> {
  const { db, dir, keys, media } = options;
  await prepareFolder(dir);
  if (keys !== undefined) await writeFile(join(dir, 'keys.json'), keys, { mode: 0o600, flush: true });
  const { takenAt, ...content } = await db.transaction((snapshot) => copyDatabase(snapshot, options));
  const list =
    typeof media === 'string'
      ? undefined
      : await writeLines(dir, 'media.ndjson.gz', mediaPages(media.folder, takenAt, options));
  const manifest: Manifest = {
    format: 2,
    id: randomUUID(),
    made_by: options.madeBy,
    local_domain: options.localDomain,
    log_key: options.logKey,
    log_in: options.logIn,
    ...content,
    keys: keys !== undefined,
    media: typeof media === 'string' ? media : 'files',
    ...(list ? { media_list: list } : {}),
  };
  await writeManifest(dir, manifest, options.sign);
  await rm(join(dir, UNFINISHED));
  return manifest;
}

/** Removes the remains of an earlier try, and nothing else. */
async function prepareFolder(dir: string): Promise<void> {
  await makeFolder(dir, 0o700);
  const there = await readdir(dir);
  if (there.length > 0 && !(there.includes(UNFINISHED) && !there.includes('backup.json'))) {
    throw new RookeryError('conflict', `${dir} is not empty: a backup needs a folder of its own`);
  }
  await Promise.all(
    there
      .filter((name) => name !== UNFINISHED)
      .map((name) => rm(join(dir, name), { recursive: true, force: true })),
  );
  await writeFile(join(dir, UNFINISHED), 'No backup yet.\n', { mode: 0o600 });
}

type Content = Pick<Manifest, 'taken_at' | 'position' | 'migrations' | 'log' | 'tables' | 'jobs'> & {
  /** By the clock of this machine, milliseconds since 1970. */
  takenAt: number;
};

/** The position that the backup reaches, by the engine of the log. */
const REACHED = {
  database: `select coalesce(max(position), 0) from ${LOG_TABLE}`,
  eventstoredb: 'select coalesce(max(position), 0) from durable.projections',
} as const;

async function copyDatabase(snapshot: Db, { dir, logIn, onLog, box }: BackupOptions): Promise<Content> {
  await snapshot.query('set transaction isolation level repeatable read, read only');
  // A slow disk keeps the connection idle for long.
  await snapshot.query('set local idle_in_transaction_session_timeout = 0');
  const [taken] = await snapshot.query<{ at: string; position: string }>(
    `select now() as at, (${REACHED[logIn]}) as position`,
  );
  const takenAt = Date.now();
  const { at = '', position = '0' } = taken ?? {};
  const migrations = await snapshot.query<{ name: string }>(
    'select name from durable.migrations order by id',
  );
  const pages = logIn === 'database' ? logPages(snapshot, BigInt(position), onLog) : noPages();
  const log = await writeLines(dir, 'log.ndjson.gz', pages);
  const tables: Manifest['tables'] = [];
  for (const table of await backedUpTables(snapshot)) {
    const rows = rowPages(snapshot, `select row_to_json(t)::text as line from durable.${table} t`);
    tables.push(await writeLines(dir, `${table}.ndjson.gz`, rows, table in CLEAR ? undefined : box));
  }
  const jobs = await writeLines(dir, 'jobs.ndjson.gz', jobPages(snapshot), box);
  return {
    takenAt,
    taken_at: at,
    position,
    migrations: migrations.map(({ name }) => name),
    log,
    tables,
    jobs,
  };
}

async function* noPages(): AsyncGenerator<string[]> {}

/** Yields the log in the form of `rookery log export`, so that auditors can verify it directly. */
async function* logPages(
  snapshot: Db,
  head: bigint,
  onLog: BackupProgress['onLog'],
): AsyncGenerator<string[]> {
  let events = 0;
  const select = `select position, stream, revision, id, type, data, metadata from ${LOG_TABLE} order by position`;
  for await (const rows of cursor<Omit<StoredEvent, 'position'> & { position: string }>(snapshot, select)) {
    yield rows.map((row) => leafOf({ ...row, position: BigInt(row.position) }));
    events += rows.length;
    onLog({ position: BigInt(rows.at(-1)?.position ?? 0), head, events });
  }
}

/** Yields unfinished jobs. The queue's schema exists only after its first use. */
async function* jobPages(snapshot: Db): AsyncGenerator<string[]> {
  const [schema] = await snapshot.query<{ there: boolean }>(
    `select to_regclass('jobs.job') is not null as there`,
  );
  if (schema?.there !== true) return;
  yield* rowPages(
    snapshot,
    `select json_build_object('name', name, 'data', data, 'singleton_key', singleton_key, 'start_after', start_after,
       'priority', priority)::text as line
     from jobs.job where state in ('created', 'retry', 'active') order by created_on, id`,
  );
}

async function* rowPages(snapshot: Db, select: string): AsyncGenerator<string[]> {
  for await (const rows of cursor<{ line: string }>(snapshot, select)) yield rows.map(({ line }) => line);
}

async function* cursor<Row>(snapshot: Db, select: string): AsyncGenerator<Row[]> {
  await snapshot.query(`declare backup_rows no scroll cursor for ${select}`);
  for (;;) {
    const rows = await snapshot.query<Row>(`fetch ${PAGE} from backup_rows`);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) break;
  }
  await snapshot.query('close backup_rows');
}

function mediaPages(folder: string, takenAt: number, { dir, onMedia }: BackupOptions) {
  let files = 0;
  return copyMediaOut(folder, dir, takenAt, () => onMedia((files += 1)));
}
