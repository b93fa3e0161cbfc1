import { invalid } from './kernel/errors.ts';
import { statement, type Db } from './kernel/read.ts';
import type { FailedRow, Import, ImportRow, Imports, RowSettings } from './kernel/services/imports.ts';

/** Of one account at a time. */
const MAX_UNDER_WAY = 5;
const KEPT = 10;

const UNDER_WAY = statement(
  'imports_under_way',
  'select count(*)::int as count from durable.imports where account_id = $1 and finished_at is null',
);
const BEGIN = statement(
  'imports_begin',
  `with old as (
     delete from durable.imports i where i.finished_at < now() - interval '30 days' or i.id in (
       select id from durable.imports where account_id = $2 and finished_at is not null order by id desc offset ${KEPT - 1})
   ), begun as (
     insert into durable.imports (id, account_id, type, overwrite, total, failed)
     values ($1, $2, $3, $4, cardinality($5::int[]), cardinality(array_remove($10::text[], null)))
   )
   insert into durable.import_rows (import_id, line, value, key, list_name, settings, reason)
   select $1::bigint, n.* from unnest($5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[]) as n`,
);

const ISO = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;
const COLUMNS = `id, account_id, type, overwrite, total, done, failed, lists, ${['begun_at', 'prepared_at', 'finished_at'].map(ISO).join(', ')}`;
const FIND = statement('imports_find', `select ${COLUMNS} from durable.imports where id = $1`);
const OF = statement(
  'imports_of',
  `select ${COLUMNS} from durable.imports i where account_id = $1 order by i.id desc limit ${KEPT + MAX_UNDER_WAY}`,
);
const PREPARED = statement(
  'imports_prepared',
  'update durable.imports set prepared_at = now(), lists = $2 where id = $1 and prepared_at is null',
);
const FINISH = statement(
  'imports_finish',
  'update durable.imports set finished_at = now() where id = $1 and finished_at is null',
);

const ROW = 'line, value, key, list_name as list, settings';
const WAITING = statement(
  'import_rows_waiting',
  `select ${ROW} from durable.import_rows where import_id = $1 and reason is null order by line limit $2`,
);
const FAILURES = statement(
  'import_rows_failures',
  `select ${ROW}, reason from durable.import_rows
   where import_id = $1 and line > $2 and reason is not null order by line limit $3`,
);
const TITLES = statement(
  'import_rows_titles',
  `select list_name as title from durable.import_rows
   where import_id = $1 and reason is null and list_name is not null
   group by list_name order by min(line) limit $2`,
);
/** What is done leaves nothing behind; what was counted is not counted again. */
const RECORD = statement(
  'import_rows_record',
  `with n as (select * from unnest($2::int[], $3::text[]) as n (line, reason)),
     gone as (delete from durable.import_rows r using n
       where r.import_id = $1 and r.line = n.line and r.reason is null and n.reason is null returning r.line),
     kept as (update durable.import_rows r set reason = n.reason from n
       where r.import_id = $1 and r.line = n.line and r.reason is null and n.reason is not null returning r.line)
   update durable.imports set done = done + (select count(*) from gone), failed = failed + (select count(*) from kept)
   where id = $1`,
);

type Row = Omit<ImportRow, 'settings'> & { settings: string };

/** Imports in Postgres. */
export const createImports = (db: Db): Imports => ({
  async begin({ id, account_id, type, overwrite }, rows, failed) {
    const [under] = await db.query<{ count: number }>(UNDER_WAY, [account_id]);
    if ((under?.count ?? 0) >= MAX_UNDER_WAY) {
      throw invalid(`There are ${MAX_UNDER_WAY} imports under way; wait until one of them is done`);
    }
    const all: (ImportRow & { reason?: string })[] = [...rows, ...failed];
    await db.query(BEGIN, [
      id,
      account_id,
      type,
      overwrite,
      all.map(({ line }) => line),
      all.map(({ value }) => value),
      all.map(({ key }) => key),
      all.map(({ list }) => list),
      all.map(({ settings }) => JSON.stringify(settings)),
      all.map(({ reason }) => reason ?? null),
    ]);
  },
  find: async (id) => (await db.query<ImportRecord>(FIND, [id])).map(importOf)[0],
  of: async (accountId) => (await db.query<ImportRecord>(OF, [accountId])).map(importOf),
  async prepared(id, lists) {
    await db.query(PREPARED, [id, lists && JSON.stringify(lists)]);
  },
  waiting: async (id, limit) => (await db.query<Row>(WAITING, [id, limit])).map(rowOf),
  titles: async (id, limit) =>
    (await db.query<{ title: string }>(TITLES, [id, limit])).map(({ title }) => title),
  async record(id, outcomes) {
    const reasons = outcomes.map(({ reason }) => reason ?? null);
    await db.query(RECORD, [id, outcomes.map(({ line }) => line), reasons]);
  },
  async finish(id) {
    await db.query(FINISH, [id]);
  },
  failures: async (id, after, limit) =>
    (await db.query<Row & Pick<FailedRow, 'reason'>>(FAILURES, [id, after, limit])).map(rowOf),
});

type ImportRecord = Omit<Import, 'lists'> & { lists: string | null };
const importOf = ({ lists, ...rest }: ImportRecord): Import => ({
  ...rest,
  lists: lists === null ? null : (JSON.parse(lists) as Record<string, string>),
});
const rowOf = <R extends Row>({ settings, ...rest }: R) => ({
  ...rest,
  settings: JSON.parse(settings) as RowSettings,
});
