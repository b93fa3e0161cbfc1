import { type Db, type Statement, statement } from '#kernel/read.ts';

/** A possible cause of notifications, with the facts to find them by. */
export interface PushCause {
  /** The id of the notifications. */
  id: string;
  about:
    | { kind: 'accounts'; account_ids: readonly string[] }
    | { kind: 'status'; status_id: string; from_account_id: string }
    | { kind: 'collection'; collection_id: string }
    | { kind: 'staff' };
  /**
   * The recipients that the event names, and whether subscribers to the author's posts are included;
   * undefined when the event does not say.
   */
  told?: { account_ids: readonly string[]; followers: boolean };
}

const ANYBODY = statement<{ wanted: boolean }>(
  'push_anybody_told',
  `select exists (select from durable.push_subscriptions where account_id = any($1::bigint[]))
     or ($2 and exists (select from durable.push_subscriptions where 'status' = any(alerts))) as wanted`,
);

const BATCH = 500;

/** Push services keep messages no longer, and older news is stale. */
export const NEWS = `interval '48 hours'`;

const addressees = (name: string, found: string): Statement<{ id: string }> =>
  statement(
    name,
    `select s.id from notifications n join durable.push_subscriptions s on s.account_id = n.account_id
     where n.id = $1 and s.id > $2 and ${found} and not n.filtered and n.created_at > now() - ${NEWS}
       and n.type = any(s.alerts) and s.policy <> 'none'
     order by s.id limit ${BATCH}`,
  );
const TO_ACCOUNTS = addressees('push_to_accounts', 'n.account_id = any($3::bigint[])');
/** A notification about the edit of a quoted post belongs to the quoting post. */
const ABOUT_STATUS = addressees(
  'push_about_status',
  `n.from_account_id = $4 and n.status_id in (
     select $3::bigint union all select q.status_id from notification_quotes q where q.quoted_id = $3)`,
);
const TO_MEMBERS = addressees(
  'push_to_members',
  'n.account_id in (select c.account_id from notification_collections c where c.collection_id = $3)',
);
const TO_STAFF = addressees(
  'push_to_staff',
  'n.account_id in (select p.account_id from notification_people p where p.staff)',
);

/**
 * Returns false when no possible recipient is subscribed. That is known without the read models, so nothing
 * waits.
 */
export async function mayBePushed(db: Db, { told }: PushCause): Promise<boolean> {
  if (!told) return true;
  if (told.account_ids.length === 0 && !told.followers) return false;
  const [row] = await db.query(ANYBODY, [told.account_ids, told.followers]);
  return row?.wanted === true;
}

/** Returns the next ids above `after` of subscriptions that get a push message; empty at the end. */
export async function addresseesAfter(db: Db, { id, about }: PushCause, after: string): Promise<string[]> {
  const [found, values] = foundBy(about);
  const rows = await db.query(found, [id, after, ...values]);
  return rows.map((row) => row.id);
}

function foundBy(about: PushCause['about']): [Statement<{ id: string }>, unknown[]] {
  switch (about.kind) {
    case 'accounts':
      return [TO_ACCOUNTS, [about.account_ids]];
    case 'status':
      return [ABOUT_STATUS, [about.status_id, about.from_account_id]];
    case 'collection':
      return [TO_MEMBERS, [about.collection_id]];
    case 'staff':
      return [TO_STAFF, []];
  }
}
