import { batchesOf } from '#kernel/batches.ts';
import { type MasterKey, type Sealed, SEALED_COLUMNS, type SealedColumn } from '#kernel/master-key.ts';
import type { Db } from '#kernel/read.ts';

/** Values per statement. */
const BATCH = 500;

interface Row {
  id: string;
  sealed: Buffer;
  owner: string | null;
}

/** The result of one run. */
export interface Resealed {
  /** Values that the present master key now encrypts instead of an earlier one. */
  changed: number;
  /** Values that none of the keys decrypts, by column: `archives.secret: 2`. They stay as they are. */
  unreadable: string[];
}

/**
 * Encrypts everything of `SEALED_COLUMNS` with the present master key that an earlier one encrypted. Each batch
 * is one statement, and a value that changes meanwhile is left alone, so it may be interrupted and repeated.
 */
export async function reseal(
  db: Db,
  master: MasterKey,
  onValues: (values: number) => void = () => undefined,
): Promise<Resealed> {
  const result: Resealed = { changed: 0, unreadable: [] };
  let seen = 0;
  for (const name of Object.keys(SEALED_COLUMNS) as Sealed[]) {
    const { table, column } = SEALED_COLUMNS[name];
    let unreadable = 0;
    for await (const rows of valuesOf(db, SEALED_COLUMNS[name])) {
      const box = master.box(name);
      const old = rows.filter(({ sealed, owner }) => !box.isCurrent(sealed, owner ?? ''));
      const readable = old.filter(({ sealed, owner }) => box.opens(sealed, owner ?? ''));
      unreadable += old.length - readable.length;
      result.changed += await store(
        db,
        SEALED_COLUMNS[name],
        readable.map((row) => ({ ...row, by: resealed(box, row) })),
      );
      onValues((seen += rows.length));
    }
    if (unreadable > 0) result.unreadable.push(`${table}.${column}: ${unreadable}`);
  }
  return result;
}

const resealed = (box: ReturnType<MasterKey['box']>, { sealed, owner }: Row): Buffer =>
  box.seal(box.unseal(sealed, owner ?? ''), owner ?? '');

const valuesOf = (db: Db, { table, id, type, column, owner }: SealedColumn): AsyncIterable<readonly Row[]> =>
  batchesOf(
    (after: string, limit) =>
      db.query<Row>(
        `select ${id}::text as id, ${column} as sealed, ${owner ? `${owner.column}::text` : 'null'} as owner
         from durable.${table} where ${column} is not null and ${id} > $1::${type} order by ${id} limit $2`,
        [after, limit],
      ),
    { from: type === 'text' ? '' : '-1', cursorOf: ({ id: last }) => last, size: BATCH },
  );

async function store(
  db: Db,
  { table, id, type, column }: SealedColumn,
  rows: readonly (Row & { by: Buffer })[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const stored = await db.query(
    `update durable.${table} t set ${column} = n.sealed
     from unnest($1::${type}[], $2::bytea[], $3::bytea[]) as n (id, before, sealed)
     where t.${id} = n.id and t.${column} = n.before returning 1`,
    [rows.map((row) => row.id), rows.map(({ sealed }) => sealed), rows.map(({ by }) => by)],
  );
  return stored.length;
}
