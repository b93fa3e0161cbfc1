import { opendir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isMediaKey } from '#adapters/media/keys.ts';
import { invalid } from '#kernel/errors.ts';
import { ignoreMissing } from '#kernel/files.ts';
import { sizeText } from '#kernel/quantities.ts';
import type { Db } from '#kernel/read.ts';
import type { Operator } from './operator.ts';
import { confirm } from './output.ts';
import { countProgress } from './progress.ts';

const DAY = 86_400_000;
/** Files per statement. */
const PAGE = 1_000;
/** The form of names of stored files, for PostgreSQL. */
const KEY = '[0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]{64}\\.[a-z0-9]+';

/**
 * `rookery media remove-orphans`: compares the files of the folder with everything that the database names.
 * Reads every table once. @throws RookeryError `invalid` where the files are in a bucket
 */
export async function removeOrphans(
  { app, catchUp }: Operator,
  { days, dryRun = false }: { days: number; dryRun?: boolean },
): Promise<void> {
  if (app.config.media.s3) throw invalid('The files are in a bucket, whose own tools list them');
  await catchUp();
  const folder = join(app.config.dataDir, 'media');
  const removed = { files: 0, bytes: 0 };
  await app.projectionDb.transaction(async (db) => {
    // Removing files takes long.
    await db.query('set local idle_in_transaction_session_timeout = 0');
    await db.query('create temporary table stored_files (key text primary key, bytes bigint) on commit drop');
    await storeFiles(db, folder, Date.now() - days * DAY);
    for (const table of await tablesOf(db)) {
      await db.query(
        `delete from stored_files f using (
           select distinct m[1] as key from ${table} t, regexp_matches(t::text, '${KEY}', 'g') m) n
         where f.key = n.key`,
      );
    }
    const progress = countProgress(dryRun ? 'Counted' : 'Removed', 'files');
    for (const { key, bytes } of await db.query<{ key: string; bytes: string }>(
      'select key, bytes from stored_files order by key',
    )) {
      if (!dryRun) await rm(join(folder, key), { force: true });
      removed.files += 1;
      removed.bytes += Number(bytes);
      progress.update(removed.files);
    }
    progress.stop();
  });
  confirm(
    `${dryRun ? 'Would remove' : 'Removed'} ${removed.files} files, ${sizeText(removed.bytes)}`,
    removed,
  );
}

/** Lists the files that were written before a time, in milliseconds since 1970. */
async function storeFiles(db: Db, folder: string, before: number): Promise<void> {
  let page: { key: string; bytes: number }[] = [];
  const store = async (): Promise<void> => {
    await db.query('insert into stored_files select * from unnest($1::text[], $2::bigint[])', [
      page.map(({ key }) => key),
      page.map(({ bytes }) => bytes),
    ]);
    page = [];
  };
  const entries = await opendir(folder, { recursive: true }).catch(ignoreMissing);
  for await (const entry of entries ?? []) {
    const path = join(entry.parentPath, entry.name);
    const key = relative(folder, path).replaceAll('\\', '/');
    if (!entry.isFile() || !isMediaKey(key)) continue;
    const found = await stat(path).catch(ignoreMissing);
    if (!found || found.mtimeMs > before) continue;
    page.push({ key, bytes: found.size });
    if (page.length === PAGE) await store();
  }
  if (page.length > 0) await store();
}

/** Returns all tables that may name files: read models, and durable ones. The log only has what they have. */
const tablesOf = async (db: Db): Promise<string[]> =>
  (
    await db.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('readmodels', 'durable') order by 1`,
    )
  ).map(({ name }) => name);
