import { type Db, statement } from '#kernel/read.ts';
import { ALERT_NAMES } from '#mastodon/alerts.ts';
import type { AdminAlert } from '#mastodon/schemas/index.ts';

/** The first entry of the audit log about an alert says who acknowledged it. */
const COLUMNS = `
  select al.id, al.name, al.subject, al.detail, al.raised_at, al.resolved_at,
    k.created_at as acknowledged_at, k.actor_id, k.username, k.note
  from durable.alerts al
  left join lateral (
    select e.created_at, e.actor_id, a.username,
      (select c ->> 'after' from jsonb_array_elements(e.changes::jsonb) c where c ->> 'field' = 'note') as note
    from audit_entries e left join accounts a on a.id = e.actor_id
    where e.action = 'alert.acknowledged' and e.target_id = al.id order by e.position limit 1
  ) k on true`;
const LIST = statement<Row>(
  'alerts_list',
  `${COLUMNS}
   where al.name = any($1) and ($2::bigint is null or al.id < $2)
     and ($3::text is null or ($3 = 'open') = (al.resolved_at is null))
   order by al.id desc limit $4`,
);
const ONE = statement<Row>('alerts_one', `${COLUMNS} where al.id = $1 and al.name = any($2)`);
const OPEN = statement<Pick<AdminAlert, 'name' | 'subject'>>(
  'alerts_open',
  'select name, subject from durable.alerts where resolved_at is null and name = any($1) order by id limit 1000',
);

interface Row extends Omit<AdminAlert, 'acknowledged_by'> {
  actor_id: string | null;
  username: string | null;
}

const entityOf = ({ actor_id, username, ...alert }: Row): AdminAlert => ({
  ...alert,
  acknowledged_by: actor_id === null ? null : { id: actor_id, username },
});

/** Returns alerts, the newest first. */
export async function listAlertRows(
  db: Db,
  { before, state, limit }: { before?: string | undefined; state?: string | undefined; limit: number },
): Promise<AdminAlert[]> {
  const rows = await db.query(LIST, [ALERT_NAMES, before ?? null, state ?? null, limit]);
  return rows.map(entityOf);
}

export async function findAlert(db: Db, id: string): Promise<AdminAlert | undefined> {
  const [row] = await db.query(ONE, [id, ALERT_NAMES]);
  return row && entityOf(row);
}

/** Returns the alerts whose cause lasts, at most a thousand. */
export const openAlerts = (db: Db): Promise<Pick<AdminAlert, 'name' | 'subject'>[]> =>
  db.query(OPEN, [ALERT_NAMES]);
