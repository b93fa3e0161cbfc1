import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { DifferingRow, Digests } from '#kernel/services/read-models.ts';
import { READ_MODELS } from '../db.ts';
import { allDone, comparedRows } from '../projector/apply.ts';

/** Rows that are named for each table. */
const NAMED = 5;
/** Characters of a value that are shown. */
const SHOWN = 40;
/** Types whose values are shown. Texts may be personal, and the reports of runs are kept: these show their length. */
const PLAIN = /^(?:smallint|integer|bigint|numeric|real|double precision|boolean|date|timestamp.*)(?:\[\])?$/;

/** The columns of a table: their types, and whether they are in its key. */
const COLUMNS = statement<Column>(
  'differing_rows_columns',
  `select a.attname::text as name, format_type(a.atttypid, null) as type, a.attnum = any(i.indkey) as key
   from pg_attribute a join pg_index i on i.indrelid = a.attrelid and i.indisprimary
   where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped order by a.attnum`,
);

interface Column {
  name: string;
  type: string;
  key: boolean;
}

/** The values of a row, as texts of bounded length, with the lengths of the whole ones; null where it does not exist. */
type Values = Record<string, { text: string; length: number } | null> | null;

export interface ComparedSchema {
  schema: string;
  /** Texts in keys are shown, to an operator who reads the database anyway; otherwise only their length. */
  keyTexts: boolean;
}

/** Compares the live tables of a projection with those of a build in a schema, and names the first rows that differ. */
export async function compareTables(
  db: Db,
  projection: Projection,
  { schema, keyTexts }: ComparedSchema,
): Promise<Digests[]> {
  const found: Digests[] = [];
  const compared = Object.keys(projection.tables).map(async (table) => {
    const [live, rebuilt] = [READ_MODELS, schema].map((of) => comparedRows(projection, table, of));
    const both = { live: live ?? '', rebuilt: rebuilt ?? '' };
    const digests = await digestsOf(db, both);
    const rows = digests.live === digests.rebuilt ? [] : await differingRows(db, table, both, keyTexts);
    found.push({ table, ...digests, rows });
  });
  await allDone(compared);
  return found.toSorted((a, b) => (a.table < b.table ? -1 : 1));
}

/** The queries for the rows of a table. */
interface Both {
  live: string;
  rebuilt: string;
}

/** Returns the count of the rows of each query, and an order-independent sum of their hashes. */
async function digestsOf(db: Db, { live, rebuilt }: Both): Promise<Pick<Digests, 'live' | 'rebuilt'>> {
  const digest = (rows: string): string =>
    `(select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) from (${rows}) t)`;
  const [row] = await db.query<Pick<Digests, 'live' | 'rebuilt'>>(
    `select ${digest(live)} as live, ${digest(rebuilt)} as rebuilt`,
  );
  if (!row) throw new Error('No digests');
  return row;
}

/** Returns the first rows that differ, in the order of their keys. Postgres joins, so that few rows come here. */
async function differingRows(
  db: Db,
  table: string,
  { live, rebuilt }: Both,
  keyTexts: boolean,
): Promise<DifferingRow[]> {
  const columns = await db.query(COLUMNS, [`${READ_MODELS}.${table}`]);
  const key = columns.filter((each) => each.key).map(({ name }) => name);
  const values = (row: string): string =>
    `(select json_object_agg(key, case when value is not null then
        json_build_object('text', left(value, ${SHOWN + 1}), 'length', length(value)) end)
      from jsonb_each_text(${row}))`;
  const rows = await db.query<{ live: Values; rebuilt: Values; changed: string[] }>(
    `select ${values('live')} as live, ${values('rebuilt')} as rebuilt,
       array(select l.key from jsonb_each(live) l join jsonb_each(rebuilt) r using (key)
         where l.value::text <> r.value::text) as changed
     from (select to_jsonb(l) as live, to_jsonb(r) as rebuilt
       from (${live}) l full join (${rebuilt}) r using (${key.join(', ')})
       where l::text is distinct from r::text order by ${key.join(', ')} limit ${NAMED}) differing`,
  );
  return rows.map((row) => described(columns, row, keyTexts));
}

function described(
  columns: readonly Column[],
  { live, rebuilt, changed }: { live: Values; rebuilt: Values; changed: readonly string[] },
  keyTexts: boolean,
): DifferingRow {
  const there = live ?? rebuilt;
  const shown = ({ name, type }: Column, values: Values, texts: boolean): string | null => {
    const value = values?.[name];
    if (!value) return null;
    if (!texts && !PLAIN.test(type)) return `${value.length} characters`;
    return value.length > SHOWN ? `${value.text.slice(0, SHOWN)}…` : value.text;
  };
  return {
    key: Object.fromEntries(
      columns.filter(({ key }) => key).map((each) => [each.name, shown(each, there, keyTexts)]),
    ),
    kind: live === null ? 'missing' : rebuilt === null ? 'surplus' : 'changed',
    columns: columns
      .filter(({ name }) => changed.includes(name))
      .map((each) => ({
        name: each.name,
        live: shown(each, live, false),
        rebuilt: shown(each, rebuilt, false),
      })),
  };
}
