import { RookeryError } from '#kernel/errors.ts';
import type { SealingBox } from '#kernel/master-key.ts';
import type { Db } from '#kernel/read.ts';
import type { Database } from '#storage/postgres/db.ts';
import { hasTable } from '#storage/postgres/migrations/index.ts';
import { readLines } from './lines.ts';
import { type Behind, forgetBehind } from './lost-end.ts';
import type { BackupFile, Manifest } from './manifest.ts';
import { noteRestore } from './restores.ts';
import { LOG_TABLE } from './tables.ts';

/** Rows per write. */
const PAGE = 500;

/** A backup, and the box that opens its sealed files. */
export interface OpenBackup {
  dir: string;
  manifest: Manifest;
  box: SealingBox;
}

interface Part {
  table: string;
  file: BackupFile;
}

const partsOf = ({ log, log_in, tables }: Manifest): Part[] => [
  ...(log_in === 'database' ? [{ table: LOG_TABLE, file: log }] : []),
  ...tables.map((file) => ({ table: `durable.${file.name.replace(/\.ndjson\.gz$/, '')}`, file })),
];

/** @throws RookeryError `conflict` when any table of the backup has rows already. Missing tables are empty. */
export async function refuseFilled(db: Db, manifest: Manifest): Promise<void> {
  for (const { table } of partsOf(manifest)) {
    if (await hasTable(db, table)) await refuseRows(db, table);
  }
}

/**
 * Fills an empty database with the log and the durable tables of a backup, in one transaction. The database
 * has the migrations of the backup.
 * @param head the end of a log that is not in the backup: rows about later events are skipped
 * @returns what was known of later events; undefined when the log is as long as the backup knew it
 * @throws RookeryError `conflict` when the database is not empty
 */
export async function loadBackup(
  db: Database,
  { dir, manifest, box }: OpenBackup,
  onRows: (rows: number) => void,
  head?: bigint,
): Promise<Behind | undefined> {
  const parts = partsOf(manifest);
  const behind = await db.transaction(async (transaction) => {
    await transaction.query('set local idle_in_transaction_session_timeout = 0');
    let rows = 0;
    for (const { table, file } of parts) {
      await refuseRows(transaction, table);
      const insert = await insertInto(transaction, table);
      for await (const page of readLines(dir, file, PAGE, box)) {
        await transaction.query(insert, [`[${page.join(',')}]`]);
        onRows((rows += page.length));
      }
      await setSequences(transaction, table);
    }
    // The log was backed up before the database, so that the keys of all its users are in the backup. It may
    // end before the rows do.
    const behindHead =
      head === undefined ? undefined : await forgetBehind(transaction, head, BigInt(manifest.position));
    await noteRestore(transaction, manifest);
    return behindHead;
  });
  // Everything is read soon, by plans that depend on the sizes of the tables.
  await db.query(`analyze ${parts.map(({ table }) => table).join(', ')}`);
  return behind;
}

async function refuseRows(transaction: Db, table: string): Promise<void> {
  const [row] = await transaction.query<{ any: boolean }>(`select exists (select from ${table}) as any`);
  if (row?.any !== true) return;
  throw new RookeryError(
    'conflict',
    `There is something in ${table} already: a backup is restored into a new DATA_DIR or an empty database`,
  );
}

/** Returns a statement that inserts rows given as JSON, with ids that the database would otherwise assign. */
async function insertInto(transaction: Db, table: string): Promise<string> {
  const columns = await transaction.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  return `insert into ${table} (${names}) overriding system value
    select ${names} from json_populate_recordset(null::${table}, $1::json)`;
}

async function setSequences(transaction: Db, table: string): Promise<void> {
  const columns = await transaction.query<{ name: string; sequence: string }>(
    `select quote_ident(attname) as name, pg_get_serial_sequence('${table}', attname) as sequence from pg_attribute
     where attrelid = '${table}'::regclass and attnum > 0 and attidentity <> ''`,
  );
  for (const { name, sequence } of columns) {
    await transaction.query(
      `select setval('${sequence}', (select coalesce(max(${name}), 0) + 1 from ${table}), false)`,
    );
  }
}
