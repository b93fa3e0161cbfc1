import type { AnyColumn, Column } from './columns.ts';
import {
  columnList,
  insertBatch,
  mergeBatch,
  ownBatch,
  patchBatch,
  removeBatch,
  setBatch,
  type Shape,
  undefaulted,
} from './sql.ts';
import { type Write, writeOf } from './write.ts';

type Columns = Readonly<Record<string, AnyColumn>>;
type NameIn<C extends Columns> = keyof C & string;

type ReadBy<C> = C extends Column<infer Read, never, boolean> ? Read : never;
type WrittenTo<C> = C extends Column<unknown, infer Written, boolean> ? Written : never;
/** The columns that an insert writes unless it names others. */
type Usual<C extends Columns> = {
  [Name in NameIn<C>]: C[Name] extends Column<unknown, never, true> ? never : Name;
}[NameIn<C>];

type Rows<C extends Columns, Name extends NameIn<C>> = { [Each in Name]: WrittenTo<C[Each]> };
type Patches<C extends Columns, Key extends NameIn<C>, Name extends NameIn<C>> = {
  [Each in Key | Name]: Each extends Key ? WrittenTo<C[Each]> : WrittenTo<C[Each]> | undefined;
};

/**
 * A table of a read model: its columns, and the statements that write a batch of rows. Statements with the same verb and
 * columns are the same statement.
 */
export interface Table<C extends Columns, Key extends NameIn<C>> {
  name: string;
  columns: C;
  /** The column list of `create table`. */
  ddl: string;
  /** Returns the insert of these columns, by default of all without a default. */
  insert: <Name extends NameIn<C> = Usual<C>>(...names: readonly Name[]) => Write<Rows<C, Name>>;
  /** As `insert`; rows whose key exists stay as they are. */
  add: <Name extends NameIn<C> = Usual<C>>(...names: readonly Name[]) => Write<Rows<C, Name>>;
  /** As `insert`; rows whose key exists get the new values. */
  put: <Name extends NameIn<C> = Usual<C>>(...names: readonly Name[]) => Write<Rows<C, Key | Name>>;
  /** As `insert` of all columns without a default; rows whose key exists get the new values of these columns. */
  merge: (...names: readonly NameIn<C>[]) => Write<Rows<C, Usual<C>>>;
  /** Returns the update, by key, of these columns. */
  set: <Name extends NameIn<C>>(...names: readonly Name[]) => Write<Rows<C, Key | Name>>;
  /** As `set`; undefined leaves a value as it is. */
  patch: <Name extends NameIn<C>>(...names: readonly Name[]) => Write<Patches<C, Key, Name>>;
  /** Returns the deletion of the rows with the values of these columns, by default of the key. */
  remove: <Name extends NameIn<C> = Key>(...names: readonly Name[]) => Write<Rows<C, Name>>;
}

/** A row of a table as queries read it. */
export type RowOf<T extends { columns: Columns }> = {
  [Name in keyof T['columns']]: ReadBy<T['columns'][Name]>;
};

/**
 * Declares a table of a read model by its columns in order, and the columns of its primary key. The columns of `unique` are
 * unique together.
 */
export function table<C extends Columns, Key extends NameIn<C>>(
  name: string,
  columns: C,
  key: readonly Key[],
  unique?: readonly NameIn<C>[],
): Table<C, Key> {
  const shape: Shape = { name, columns, key, unique };
  const orUsual = (names: readonly string[]): readonly string[] =>
    names.length === 0 ? undefaulted(shape) : names;
  const withKey = (names: readonly string[]): readonly string[] =>
    names.length === 0 ? undefaulted(shape) : [...new Set([...key, ...names])];
  return {
    name,
    columns,
    ddl: columnList(shape),
    insert: (...names) => writeOf(insertBatch(shape, 'insert', orUsual(names))),
    add: (...names) => writeOf(insertBatch(shape, 'add', orUsual(names))),
    put: (...names) => writeOf(insertBatch(shape, 'put', withKey(names))),
    merge: (...names) => writeOf(mergeBatch(shape, names)),
    set: (...names) => writeOf(setBatch(shape, names)),
    patch: (...names) => writeOf(patchBatch(shape, names)),
    remove: (...names) => writeOf(removeBatch(shape, names.length === 0 ? key : names)),
  };
}

/** Returns the tables of a projection: name to column list. */
export const tablesOf = (...tables: readonly { name: string; ddl: string }[]): Record<string, string> =>
  Object.fromEntries(tables.map(({ name, ddl }) => [name, ddl]));

/**
 * Declares a statement on a batch of rows whose SQL no table gives. `textOf` gets SQL for a `from` that has these columns
 * under the alias `n`.
 */
export const batch = <C extends Columns>(
  name: string,
  columns: C,
  textOf: (rows: string) => string,
): Write<Rows<C, NameIn<C>>> => writeOf(ownBatch(name, columns, textOf));
