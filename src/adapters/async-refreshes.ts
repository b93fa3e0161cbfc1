import { randomBytes } from 'node:crypto';
import { type Db, statement } from '#kernel/read.ts';
import type { AsyncRefresh, AsyncRefreshes } from '#kernel/services/async-refresh.ts';

/** Longer work was interrupted. */
const LONGEST = `interval '10 minutes'`;
const RUNNING = `(r.finished_at is null and r.started_at > now() - ${LONGEST})`;
const REFRESH = `r.id, case when ${RUNNING} then 'running' else 'finished' end as status, r.result_count`;

const BEGIN = statement<AsyncRefresh>(
  'async_refresh_begin',
  `insert into durable.async_refreshes as r (id, key, started_at, result_count) values ($1, $2, now(), $3)
   on conflict (key) do update
     set id = excluded.id, started_at = excluded.started_at, finished_at = null, result_count = excluded.result_count
     where not ${RUNNING}
       and coalesce(r.finished_at, r.started_at + ${LONGEST}) <= now() - $4::float8 * interval '1 millisecond'
   returning ${REFRESH}`,
);
const OF_KEY = statement<AsyncRefresh>(
  'async_refresh_running',
  `select ${REFRESH} from durable.async_refreshes r where r.key = $1 and ${RUNNING}`,
);
const FIND = statement<AsyncRefresh>(
  'async_refresh_find',
  `select ${REFRESH} from durable.async_refreshes r where r.id = $1`,
);
const COUNT = statement(
  'async_refresh_count',
  'update durable.async_refreshes set result_count = coalesce(result_count, 0) + 1 where id = $1',
);
/** Removes refreshes that ended long ago, too. */
const FINISH = statement(
  'async_refresh_finish',
  `with old as (delete from durable.async_refreshes where started_at < now() - interval '1 day' and id <> $1)
   update durable.async_refreshes set finished_at = now() where id = $1 and finished_at is null`,
);

/** Stores refreshes in Postgres, for all processes. */
export function createAsyncRefreshes(db: Db): AsyncRefreshes {
  const running = async (key: string): Promise<AsyncRefresh | undefined> =>
    (await db.query(OF_KEY, [key]))[0];
  return {
    running,
    async begin(key, { pause, counts }) {
      const id = randomBytes(24).toString('base64url');
      const [begun] = await db.query(BEGIN, [id, key, counts ? 0 : null, pause]);
      if (begun) return { refresh: begun, begun: true };
      const refresh = await running(key);
      return refresh && { refresh, begun: false };
    },
    find: async (id) => (await db.query(FIND, [id]))[0],
    async count(id) {
      await db.query(COUNT, [id]);
    },
    async finish(id) {
      await db.query(FINISH, [id]);
    },
  };
}
