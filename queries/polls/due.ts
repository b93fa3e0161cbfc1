import { statement, type Db } from '../../src/kernel/read.ts';

const DUE = statement(
  'polls_due',
  `select p.id, p.status_id, p.expires_at from polls p join statuses s on s.id = p.status_id and s.poll_id = p.id
   where not p.closed and p.expires_at <= $1 and not s.deleted and s.local and not p.id = any($2::bigint[])
   order by p.expires_at limit 200`,
);
const NEXT = statement(
  'polls_next',
  'select min(expires_at) as next from polls where not closed and expires_at > $1',
);

/** Polls of ours that are over at `now` (ISO 8601) and not closed yet, and when the next one is over. */
export async function duePolls(
  db: Db,
  now: string,
  except: readonly string[],
): Promise<{ polls: { id: string; status_id: string }[]; next: string | undefined }> {
  const [polls, [row]] = await Promise.all([
    db.query<{ id: string; status_id: string }>(DUE, [now, except]),
    db.query<{ next: string | null }>(NEXT, [now]),
  ]);
  return { polls, next: row?.next ?? undefined };
}
