import { type Db, statement } from '#kernel/read.ts';

/** A remote poll ends a while later here: its server's message about the end may take time to arrive. */
const GRACE = `interval '5 minutes'`;
/** Remote polls that ended earlier notify no user. */
const NEWS = `interval '7 days'`;
const DUE_HERE = statement<{ id: string; status_id: string }>(
  'polls_due',
  `select p.id, p.status_id from polls p join statuses s on s.id = p.status_id and s.poll_id = p.id
   where p.local and not p.closed and p.expires_at <= $1::timestamptz and not s.deleted and not p.id = any($2::bigint[])
   order by p.expires_at limit 200`,
);
const DUE_ELSEWHERE = statement<{ id: string; status_id: string }>(
  'polls_due_elsewhere',
  `select p.id, p.status_id from polls p join statuses s on s.id = p.status_id and s.poll_id = p.id
   where not p.local and not p.closed and p.expires_at <= $1::timestamptz - ${GRACE} and p.expires_at > $1::timestamptz - ${NEWS}
     and not s.deleted and not p.id = any($2::bigint[]) and exists (
       select from poll_votes v join accounts a on a.id = v.account_id and a.domain is null where v.poll_id = p.id offset 0)
   order by p.expires_at limit 200`,
);
const NEXT = statement<{ next: string | null }>(
  'polls_next',
  `select least(
     (select min(expires_at) from polls where local and not closed and expires_at > $1::timestamptz),
     (select min(expires_at) + ${GRACE} from polls
      where not local and not closed and expires_at > $1::timestamptz - ${GRACE})) as next`,
);

/**
 * Returns open polls that ended by `now` (ISO 8601), and when the next one ends: local ones, and remote ones
 * with local voters.
 */
export async function duePolls(
  db: Db,
  now: string,
  except: readonly string[],
): Promise<{ polls: { id: string; status_id: string }[]; next: string | undefined }> {
  const [here, elsewhere, [row]] = await Promise.all([
    db.query(DUE_HERE, [now, except]),
    db.query(DUE_ELSEWHERE, [now, except]),
    db.query(NEXT, [now]),
  ]);
  return { polls: [...here, ...elsewhere], next: row?.next ?? undefined };
}
