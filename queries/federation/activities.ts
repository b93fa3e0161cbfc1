import { type Db, statement } from '#kernel/read.ts';

/** An interaction of a remote account with this URI. */
export type NamedAct =
  | { kind: 'favourite'; status_id: string; status_account_id: string }
  | { kind: 'block'; target_account_id: string };

interface Row {
  kind: 'favourite' | 'block';
  target_id: string;
  status_account_id: string | null;
}

const NAMED = statement<Row>(
  'federation_named_act',
  `select n.kind, n.target_id, s.account_id as status_account_id from remote_activities n
   left join statuses s on n.kind = 'favourite' and s.id = n.target_id
   where n.uri = $1 and n.account_id = $2 limit 1`,
);

/** Returns the favourite or block that an account gave this URI, also if it was undone. */
export async function actOfUri(db: Db, uri: string, accountId: string): Promise<NamedAct | undefined> {
  const [row] = await db.query(NAMED, [uri, accountId]);
  if (row?.kind === 'block') return { kind: 'block', target_account_id: row.target_id };
  if (row?.status_account_id == null) return undefined;
  return { kind: 'favourite', status_id: row.target_id, status_account_id: row.status_account_id };
}
