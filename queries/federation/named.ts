import { type Db, statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import type { ACCOUNTS as ACCOUNTS_TABLE } from '#projections/accounts/tables.ts';
import type { STATUSES } from '#projections/statuses/tables.ts';

/** A post, local or remote, deleted or not, as activities reference it. */
export interface NamedPost extends Pick<
  RowOf<typeof STATUSES>,
  'id' | 'uri' | 'account_id' | 'visibility' | 'local'
> {
  author_uri: string;
}

/** An account as activities reference it; `domain` is null for a local one. */
export type NamedAccount = Pick<RowOf<typeof ACCOUNTS_TABLE>, 'id' | 'uri' | 'domain' | 'suspended'>;

const POSTS = statement<NamedPost>(
  'federation_named_posts',
  `select s.id, s.uri, s.account_id, a.uri as author_uri, s.visibility, s.local
   from statuses s join accounts a on a.id = s.account_id where s.id = any($1::bigint[]) order by s.id`,
);
const ACCOUNTS = statement<NamedAccount>(
  'federation_named_accounts',
  'select id, uri, domain, suspended from accounts where id = any($1::bigint[])',
);
const OPTIONS = statement<{ options: string }>(
  'federation_poll_options',
  'select options from polls where id = $1',
);

export const namedPosts = (db: Db, ids: readonly string[]): Promise<NamedPost[]> =>
  ids.length === 0 ? Promise.resolve([]) : db.query(POSTS, [ids]);

/** Returns accounts by id. */
export async function namedAccounts(db: Db, ids: readonly string[]): Promise<Map<string, NamedAccount>> {
  const rows = await db.query(ACCOUNTS, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the titles of a poll's options. */
export async function pollOptions(db: Db, pollId: string): Promise<string[]> {
  const [row] = await db.query(OPTIONS, [pollId]);
  return row ? (JSON.parse(row.options) as string[]) : [];
}
