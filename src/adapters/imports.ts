import { fairSemaphore, KeyedSemaphore } from '#kernel/concurrency.ts';
import { invalid } from '#kernel/errors.ts';
import { pause } from '#kernel/pause.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { FailedRow, Import, ImportRow, Imports, RowSettings } from '#kernel/services/imports.ts';
import type { Database } from '#storage/postgres/db.ts';
import { LOCKS } from '#storage/postgres/locks.ts';

/** Unfinished imports of one account. */
const MAX_PENDING = 5;
const KEPT = 10;

/**
 * Files and rows that one account may import in 24 hours: each row may become an event, which stays in the
 * log.
 */
const PER_DAY = { files: 10, rows: 60_000 };
/** Rows per statement: few, because their text is written and sent in one step of the event loop. */
const STORED_AT_ONCE = 200;
/**
 * The pause after a statement, as a multiple of its duration, and the longest in milliseconds: other users wait for the
 * processor, which Postgres would otherwise have for a whole file.
 */
const REST = { share: 2, most: 50 };
/** Uploads at a time in this process, and files that wait to be read. */
const MAX_UPLOADS = 20;

const LOCK = statement(
  'imports_lock',
  `select pg_advisory_xact_lock(${LOCKS.imports}, hashint8($1::bigint))`,
);
const RECENT = statement<{ under_way: number; files: number; rows: number }>(
  'imports_recent',
  `select count(*) filter (where finished_at is null)::int as under_way,
     count(*) filter (where begun_at > now() - interval '24 hours')::int as files,
     coalesce(sum(total) filter (where begun_at > now() - interval '24 hours'), 0)::int as rows
   from durable.imports where account_id = $1`,
);
const BEGIN = statement(
  'imports_begin',
  `with old as (
     delete from durable.imports i where i.finished_at < now() - interval '30 days' or i.id in (
       select id from durable.imports where account_id = $2 and finished_at is not null order by id desc offset ${KEPT - 1})
   )
   insert into durable.imports (id, account_id, type, overwrite, total, failed) values ($1, $2, $3, $4, $5, $6)`,
);
const STORE = statement(
  'import_rows_store',
  `insert into durable.import_rows (import_id, line, value, key, list_name, settings, reason)
   select $1::bigint, n.* from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) as n`,
);

const ISO = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;
const COLUMNS = `id, account_id, type, overwrite, total, done, failed, lists, ${['begun_at', 'prepared_at', 'finished_at'].map(ISO).join(', ')}`;
const FIND = statement<ImportRecord>('imports_find', `select ${COLUMNS} from durable.imports where id = $1`);
const OF = statement<ImportRecord>(
  'imports_of',
  `select ${COLUMNS} from durable.imports i where account_id = $1 order by i.id desc limit ${KEPT + MAX_PENDING}`,
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
const WAITING = statement<Row>(
  'import_rows_waiting',
  `select ${ROW} from durable.import_rows where import_id = $1 and reason is null order by line limit $2`,
);
const FAILURES = statement<Row & Pick<FailedRow, 'reason'>>(
  'import_rows_failures',
  `select ${ROW}, reason from durable.import_rows
   where import_id = $1 and line > $2 and reason is not null order by line limit $3`,
);
const TITLES = statement<{ title: string }>(
  'import_rows_titles',
  `select list_name as title from durable.import_rows
   where import_id = $1 and reason is null and list_name is not null
   group by list_name order by min(line) limit $2`,
);
/** Deletes finished rows; counted rows are not counted again. */
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
export const createImports = (db: Database): Imports => ({
  ...admission(db),
  assertRoom: (accountId, { byOperator }) => assertRoom(db, accountId, byOperator ? undefined : 1),
  async begin({ id, account_id, type, overwrite, byOperator = false }, rows, failed) {
    const all: (ImportRow & { reason?: string })[] = [...rows, ...failed];
    await db.transaction(async (within) => {
      await within.query(LOCK, [account_id]);
      await assertRoom(within, account_id, byOperator ? undefined : all.length);
      await within.query(BEGIN, [id, account_id, type, overwrite, all.length, failed.length]);
      for (let from = 0; from < all.length; from += STORED_AT_ONCE) {
        const begun = performance.now();
        await store(within, id, all.slice(from, from + STORED_AT_ONCE));
        await pause(Math.min((performance.now() - begun) * REST.share, REST.most));
      }
    });
  },
  find: async (id) => (await db.query(FIND, [id])).map(importOf)[0],
  of: async (accountId) => (await db.query(OF, [accountId])).map(importOf),
  async prepared(id, lists) {
    await db.query(PREPARED, [id, lists && JSON.stringify(lists)]);
  },
  waiting: async (id, limit) => (await db.query(WAITING, [id, limit])).map(rowOf),
  titles: async (id, limit) => (await db.query(TITLES, [id, limit])).map(({ title }) => title),
  async record(id, outcomes) {
    const reasons = outcomes.map(({ reason }) => reason ?? null);
    await db.query(RECORD, [id, outcomes.map(({ line }) => line), reasons]);
  },
  async finish(id) {
    await db.query(FINISH, [id]);
  },
  failures: async (id, after, limit) => (await db.query(FAILURES, [id, after, limit])).map(rowOf),
});

/** The uploads and files of this process. Those of one account would wait for its lock, each with a connection. */
function admission(db: Db): Pick<Imports, 'admitUpload' | 'inTurn'> {
  const uploads = new KeyedSemaphore({ inAll: MAX_UPLOADS, perKey: 1 });
  const turns = fairSemaphore({ running: 1, waiting: MAX_UPLOADS });
  return {
    async admitUpload(accountId) {
      const end = uploads.tryAcquire(accountId);
      if (!end) throw invalid('A file is being read; wait until it is done, and send this one again');
      try {
        await assertRoom(db, accountId, 1);
        return end;
      } catch (error) {
        end();
        throw error;
      }
    },
    inTurn: (accountId, work) => turns(work, { owner: accountId }),
  };
}

type ImportRecord = Omit<Import, 'lists'> & { lists: string | null };
const importOf = ({ lists, ...rest }: ImportRecord): Import => ({
  ...rest,
  lists: lists === null ? null : (JSON.parse(lists) as Record<string, string>),
});
const rowOf = <R extends Row>({ settings, ...rest }: R) => ({
  ...rest,
  settings: JSON.parse(settings) as RowSettings,
});

/** @param more rows about to be added; undefined when the daily limit does not apply */
async function assertRoom(db: Db, accountId: string, more: number | undefined): Promise<void> {
  const [recent] = await db.query(RECENT, [accountId]);
  const { under_way, files, rows } = recent ?? { under_way: 0, files: 0, rows: 0 };
  if (under_way >= MAX_PENDING) {
    throw invalid(`There are ${MAX_PENDING} imports under way; wait until one of them is done`);
  }
  if (more === undefined) return;
  if (files >= PER_DAY.files) throw invalid(`You can import ${PER_DAY.files} files in 24 hours`);
  if (rows + more > PER_DAY.rows) throw invalid(`You can import ${PER_DAY.rows} rows in 24 hours`);
}

async function store(db: Db, id: string, rows: readonly (ImportRow & { reason?: string })[]): Promise<void> {
  await db.query(STORE, [
    id,
    rows.map(({ line }) => line),
    rows.map(({ value }) => value),
    rows.map(({ key }) => key),
    rows.map(({ list }) => list),
    rows.map(({ settings }) => JSON.stringify(settings)),
    rows.map(({ reason }) => reason ?? null),
  ]);
}
