import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type Database, READ_MODELS } from '../db.ts';
import { createIndexes, createTables } from '../projector/apply.ts';

/** The schema of empty tables as this program makes them. No other transaction ever sees it. */
const EXPECTED = 'expected_read_models';

/** Since PostgreSQL 18, `not null` is also a constraint, with a name that older tables do not have. */
const LAYOUTS = statement<Layout>(
  'table_layouts',
  `select c.relname as table,
     (select jsonb_agg(jsonb_build_array(a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attcollation::int,
        pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attoptions) order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)::text as columns,
     array(select pg_get_constraintdef(oid) from pg_constraint
       where conrelid = c.oid and contype <> 'n' order by 1) as constraints,
     array(select replace(pg_get_indexdef(indexrelid), format(' %I.', $1::text), ' ') from pg_index
       where indrelid = c.oid and indisvalid order by 1) as indexes
   from pg_class c where c.relnamespace = to_regnamespace($1::text) and c.relkind = 'r' and c.relname = any($2::text[])`,
);

interface Layout {
  table: string;
  /** In order, with type, collation, default and options. */
  columns: string;
  constraints: string[];
  indexes: string[];
}

/**
 * Returns the projections whose live tables differ from those that this program makes: in a column, in a constraint, or by an index that
 * is missing. Indexes of the operator's own make no difference. Takes about ten milliseconds a table.
 */
export async function withOtherTables(
  db: Database,
  projections: readonly Projection[],
): Promise<Projection[]> {
  const tables = projections.flatMap((each) => Object.keys(each.tables));
  const live = await layoutsIn(db, READ_MODELS, tables);
  const expected = await db.transaction(async (transaction) => {
    await transaction.query(`create schema ${EXPECTED}`);
    await transaction.query(`set local search_path to ${EXPECTED}`);
    for (const each of projections) {
      await createTables(each, EXPECTED, transaction);
      await createIndexes(each, transaction);
    }
    const layouts = await layoutsIn(transaction, EXPECTED, tables);
    await transaction.query(`drop schema ${EXPECTED} cascade`);
    return layouts;
  });
  const isAsExpected = (table: string): boolean => contains(live.get(table), expected.get(table));
  return projections.filter((each) => !Object.keys(each.tables).every(isAsExpected));
}

async function layoutsIn(db: Db, schema: string, tables: readonly string[]): Promise<Map<string, Layout>> {
  const rows = await db.query(LAYOUTS, [schema, tables]);
  return new Map(rows.map((layout) => [layout.table, layout]));
}

const contains = (live: Layout | undefined, expected: Layout | undefined): boolean =>
  live !== undefined &&
  expected !== undefined &&
  live.columns === expected.columns &&
  String(live.constraints) === String(expected.constraints) &&
  expected.indexes.every((index) => live.indexes.includes(index));
