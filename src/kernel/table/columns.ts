/**
 * A column of a read model: its type in Postgres, and the types of its values in rows that are read (`Read`) and written
 * (`Written`). `Omitted` is true where an insert leaves the column to its default.
 */
export interface Column<Read, Written, Omitted extends boolean> {
  /** The type in `create table`, with its collation. */
  type: string;
  /** The type of the elements that `unnest` returns. */
  element: string;
  isNullable: boolean;
  isOmitted: Omitted;
  /** The clause of `create table` behind the type: `default false`. */
  clause?: string;
  /** Returns the element for a value. Null and undefined are the element null. */
  encode?: (value: unknown) => unknown;
  /** Returns SQL of the column's value for the SQL of an element. */
  decode?: (element: string) => string;

  /** Only a type, as the next one. */
  read?: Read;
  written?: (value: Written) => void;

  /** The column with null, which undefined becomes. */
  orNull: Column<Read | null, Written | null | undefined, Omitted>;
  /** The column with null, which it is until a later statement sets it. */
  nullAtFirst: Column<Read | null, Written | null | undefined, true>;
  /** The column with a default (SQL), which inserts use. */
  defaultsTo: (value: string) => Column<Read, Written, true>;
  /** The column that Postgres computes from others (SQL). */
  generatedAs: (value: string) => Column<Read, never, true>;
}

export type AnyColumn = Column<unknown, never, boolean>;

type Plain = Pick<AnyColumn, 'type' | 'element' | 'encode' | 'decode' | 'clause'> & { isNullable?: boolean };

function column<Read, Written, Omitted extends boolean>(
  plain: Plain,
  isOmitted: Omitted,
): Column<Read, Written, Omitted> {
  return {
    isNullable: false,
    ...plain,
    isOmitted,
    get orNull() {
      return column<Read | null, Written | null | undefined, Omitted>(
        { ...plain, isNullable: true },
        isOmitted,
      );
    },
    get nullAtFirst() {
      return column<Read | null, Written | null | undefined, true>({ ...plain, isNullable: true }, true);
    },
    defaultsTo: (value) => column({ ...plain, clause: `default ${value}` }, true),
    generatedAs: (value) => column({ ...plain, clause: `generated always as (${value}) stored` }, true),
  };
}

const scalar = <Read, Written = Read>(type: string, element = type): Column<Read, Written, false> =>
  column({ type, element }, false);

/** An id or a position: read as a decimal string. */
export const bigint = scalar<string, string | bigint>('bigint');
export const integer = scalar<number>('integer', 'int');
export const smallint = scalar<number>('smallint');
export const boolean = scalar<boolean>('boolean', 'bool');
export const text = scalar<string>('text');
/** A text that is compared by its bytes. */
export const textC = scalar<string>('text collate "C"', 'text');
/** `2026-11-30` */
export const date = scalar<string>('date');
/** A moment, ISO 8601. */
export const timestamptz = scalar<string>('timestamptz');
/** A range of addresses. */
export const cidr = scalar<string>('cidr');
/** Search terms, which statements of their own write. */
export const tsvector = scalar<string, never>('tsvector');

export const bytea = scalar<Buffer>('bytea');

/** Returns the column of texts of one kind, such as the names of states. */
export const textOf = <Value extends string>(): Column<Value, Value, false> => scalar('text');

/** Returns the column of a value that is kept as a JSON text, and read as that text. */
export const jsonText = <Value>(): Column<string, Value, false> =>
  column({ type: 'text', element: 'text', encode: JSON.stringify }, false);

/** Returns the column of a JSON value that SQL looks into. */
export const jsonb = <Value>(): Column<Value, Value, false> =>
  column(
    { type: 'jsonb', element: 'text', encode: JSON.stringify, decode: (json) => `${json}::jsonb` },
    false,
  );

/** Lists come as JSON texts, because Postgres has no arrays of arrays of different lengths. */
const list = <Item>(item: string): Column<Item[], readonly Item[], false> =>
  column(
    {
      type: `${item}[]`,
      element: 'text',
      encode: JSON.stringify,
      decode: (json) =>
        `case when ${json} is null then null else array(select json_array_elements_text(${json}::json)::${item}) end`,
    },
    false,
  );

export const bigints = list<string>('bigint');
export const integers = list<number>('integer');
export const texts = list<string>('text');
