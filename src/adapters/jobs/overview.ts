import { type Db, statement } from '#kernel/read.ts';
import type { JobInfo, JobKind, JobsOverview } from '#kernel/services/jobs.ts';

/** The schema exists only once the queue was opened. */
const THERE = statement<{ there: boolean }>(
  'jobs_there',
  `select to_regclass('jobs.job') is not null as there`,
);
const KINDS = statement<JobKind>(
  'jobs_kinds',
  `select name, count(*) filter (where state = 'active')::int as running,
     count(*) filter (where state = 'created' and start_after <= now())::int as waiting,
     count(*) filter (where state = 'created' and start_after > now())::int as scheduled,
     count(*) filter (where state = 'retry')::int as retrying,
     count(*) filter (where state = 'failed')::int as failed,
     min(created_on) filter (where state = 'created' and start_after <= now()) as oldest_at
   from jobs.job where state in ('created', 'retry', 'active', 'failed') group by name order by name`,
);
/** Their data may name people, and is not shown. */
const JOBS = statement<JobInfo>(
  'jobs_newest',
  `select id, name, case when state = 'created' and start_after > now() then 'scheduled' when state = 'created' then 'waiting'
       when state = 'active' then 'running' when state = 'retry' then 'retrying' else 'failed' end as state,
     retry_count as tries, created_on as created_at, start_after as due_at, started_on as started_at,
     left(coalesce(output ->> 'message', output ->> 'value', output #>> '{}'), 2000) as error
   from jobs.job where state in ('created', 'retry', 'active', 'failed') and ($1::text is null or name = $1)
   order by case state when 'active' then 0 when 'failed' then 1 when 'retry' then 2 else 3 end, start_after limit $2`,
);

/** Returns the unfinished and failed jobs: how many of each kind, and some of them. */
export async function jobsOverview(
  db: Db,
  { name, limit }: { name?: string | undefined; limit: number },
): Promise<JobsOverview> {
  const [schema] = await db.query(THERE);
  if (schema?.there !== true) return { kinds: [], jobs: [] };
  const [kinds, jobs] = await Promise.all([db.query(KINDS), db.query(JOBS, [name ?? null, limit])]);
  return { kinds, jobs };
}
