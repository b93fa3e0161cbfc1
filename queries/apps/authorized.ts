import { type Db, statement } from '#kernel/read.ts';

const AUTHORIZED = statement<Omit<AuthorizedApplication, 'scopes'> & { scopes: string }>(
  'authorized_applications',
  `select a.id, a.name, a.website, t.scopes,
     to_char(t.since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
   from (
     select application_id, min(created_at) as since, string_agg(distinct scopes, ' ') as scopes
     from durable.access_tokens
     where account_id = $1 and revoked_at is null and application_id < $2
     group by application_id order by application_id desc limit $3
   ) t
   join applications a on a.id = t.application_id
   order by a.id desc`,
);

/** An application that may use an account. */
export interface AuthorizedApplication {
  id: string;
  name: string;
  website: string | null;
  /** The scopes of all its tokens, each once. */
  scopes: string[];
  /** The time of its first token, ISO 8601. */
  since: string;
}

/**
 * Returns the applications with tokens of an account and with ids below `before`, newest application first.
 */
export async function authorizedApplications(
  db: Db,
  accountId: string,
  { before, limit }: { before: string; limit: number },
): Promise<AuthorizedApplication[]> {
  const rows = await db.query(AUTHORIZED, [accountId, before, limit]);
  return rows.map(({ scopes, ...row }) => ({ ...row, scopes: [...new Set(scopes.split(' '))] }));
}
