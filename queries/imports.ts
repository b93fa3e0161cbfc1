import type { Id } from '#kernel/ids.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';
import type { ImportType } from '#mastodon/portability.ts';

/** An item of a user that the file does not name: `id` orders the pages. */
export interface Surplus {
  id: Id;
  /** The account at the other end, or the post. */
  target_id: Id;
  /** For a post, its author; for a member, the list. */
  of_id: Id;
  domain: string;
}

/**
 * Nothing goes any more once one process has prepared the import: rows that are carried out leave nothing behind, so a second one that
 * is still at it would take what they name for unnamed.
 */
const UNPREPARED = 'exists (select from durable.imports p where p.id = $2 and p.prepared_at is null)';

/** Rows of the import ($2) are by the index of their keys. */
const unnamed = (key: string, more = ''): string =>
  `${UNPREPARED} and not exists (select from durable.import_rows r where r.import_id = $2 and r.key in (${key}) ${more})`;

const accounts = (table: string): Statement<Surplus> =>
  statement(
    `import_surplus_${table}`,
    `select l.id, l.target_account_id as target_id, a.id as of_id, '' as domain
     from ${table} l join accounts a on a.id = l.target_account_id
     where l.account_id = $1 and l.id < $3 and ${unnamed('a.acct_key')} order by l.id desc limit $4`,
  );

const SURPLUS: Record<ImportType, Statement<Surplus>> = {
  following: accounts('follows'),
  blocks: accounts('blocks'),
  mutes: accounts('mutes'),
  'domain-blocks': statement(
    'import_surplus_domain_blocks',
    `select b.id, b.id as target_id, b.id as of_id, b.domain from user_domain_blocks b
     where b.account_id = $1 and b.id < $3 and ${unnamed('b.domain')} order by b.id desc limit $4`,
  ),
  // Lists, not their members.
  lists: statement(
    'import_surplus_lists',
    `select l.id, l.id as target_id, l.id as of_id, '' as domain from lists l
     where l.account_id = $1 and l.id < $3 and ${UNPREPARED}
       and not exists (select from durable.import_rows r where r.import_id = $2 and r.list_name = l.title)
     order by l.id desc limit $4`,
  ),
  bookmarks: statement(
    'import_surplus_bookmarks',
    `select i.bookmark_id as id, s.id as target_id, s.account_id as of_id, '' as domain
     from interactions i join statuses s on s.id = i.status_id
     where i.account_id = $1 and i.bookmark_id < $3 and ${unnamed('s.uri, s.url')}
     order by i.bookmark_id desc limit $4`,
  ),
};
const MEMBERS = statement<Surplus>(
  'import_surplus_members',
  `select a.id, a.id as target_id, l.id as of_id, '' as domain
   from lists l join list_accounts m on m.list_id = l.id join accounts a on a.id = m.account_id
   where l.account_id = $1 and l.id = $5 and a.id < $3
     and ${unnamed('a.acct_key', 'and r.list_name = l.title')} order by a.id desc limit $4`,
);

interface ImportOf {
  id: Id;
  account_id: Id;
  type: ImportType;
}

/** Returns the items of an account that its file does not name, newest first, below `before`. */
export const surplusOf = (
  db: Db,
  { id, account_id, type }: ImportOf,
  before: Id,
  limit: number,
): Promise<Surplus[]> => db.query(SURPLUS[type], [account_id, id, before, limit]);

/**
 * Returns the members of a list of the account that the file does not name under its title, by account ids
 * below `before`.
 */
export const surplusMembers = (
  db: Db,
  { id, account_id }: ImportOf,
  listId: Id,
  before: Id,
  limit: number,
): Promise<Surplus[]> => db.query(MEMBERS, [account_id, id, before, limit, listId]);
