import { batchesOf } from '#kernel/batches.ts';
import type { Instance } from '#kernel/context.ts';
import { type Id, LARGEST_ID } from '#kernel/ids.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';
import { csvLine } from '#mastodon/csv.ts';
import { COLUMNS, type ExportType } from '#mastodon/portability.ts';
import { shownDomain } from '../entities/handles.ts';
import { MEMBERSHIP_JOIN } from '../lists/index.ts';
import { listedForOwner } from '../visibility/accounts.ts';

/** Rows of one page, which is one statement. */
const PAGE = 1_000;

interface Handle {
  username: string;
  domain: string | null;
}

/** One file: its statement, and the cells of a row. */
interface File<Row> {
  /** Its first line; absent when Mastodon writes none. */
  header?: readonly string[];
  /** $1 is the account, $2 the number of rows, then the cursor of the last row. */
  page: Statement;
  first: readonly Id[];
  next: (row: Row) => readonly Id[];
  cells: (row: Row, address: (handle: Handle) => string) => readonly string[];
}

type Accounts = Handle & { id: Id };

/**
 * Selects accounts, newest first, as in the lists of the API: without suspended ones. `more` are columns of
 * the row `l`.
 */
const accountsOf = <Row extends Accounts = Accounts>(
  name: string,
  table: string,
  {
    owner = 'account_id',
    listed = 'target_account_id',
    more = '',
    where = '',
  }: { owner?: string; listed?: string; more?: string; where?: string } = {},
): Pick<File<Row>, 'first' | 'next'> & { page: Statement<Row> } => ({
  page: statement<Row>(
    `export_${name}`,
    `select l.id, a.username, ${shownDomain()} as domain${more} from ${table} l join accounts a on a.id = l.${listed}
     where l.${owner} = $1 and l.id < $3 and ${listedForOwner()} ${where} order by l.id desc limit $2`,
  ),
  first: [LARGEST_ID],
  next: ({ id }) => [id],
});

type Follow = Accounts & { reblogs: boolean; notify: boolean; languages: string[] | null };
const following: File<Follow> = {
  header: [COLUMNS.account, COLUMNS.reblogs, COLUMNS.notify, COLUMNS.languages],
  ...accountsOf<Follow>('following', 'follows', { more: ', l.reblogs, l.notify, l.languages' }),
  cells: ({ reblogs, notify, languages, ...handle }, address) => [
    address(handle),
    String(reblogs),
    String(notify),
    languages?.join(', ') ?? '',
  ],
};
const followers: File<Accounts> = {
  header: [COLUMNS.account],
  ...accountsOf('followers', 'follows', { owner: 'target_account_id', listed: 'account_id' }),
  cells: (handle, address) => [address(handle)],
};
const blocks: File<Accounts> = {
  ...accountsOf('blocks', 'blocks'),
  cells: (handle, address) => [address(handle)],
};
const mutes: File<Accounts & { notifications: boolean }> = {
  header: [COLUMNS.account, COLUMNS.notifications],
  ...accountsOf<Accounts & { notifications: boolean }>('mutes', 'mutes', {
    more: ', l.notifications',
    where: 'and (l.expires_at is null or l.expires_at > now())',
  }),
  cells: ({ notifications, ...handle }, address) => [address(handle), String(notifications)],
};
const domainBlocks: File<{ id: Id; domain: string }> = {
  page: statement<{ id: Id; domain: string }>(
    'export_domain_blocks',
    'select id, domain from user_domain_blocks where account_id = $1 and id < $3 order by id desc limit $2',
  ),
  first: [LARGEST_ID],
  next: ({ id }) => [id],
  cells: ({ domain }) => [domain],
};
const lists: File<Accounts & { list_id: Id; title: string }> = {
  page: statement<Accounts & { list_id: Id; title: string }>(
    'export_lists',
    `select l.id as list_id, l.title, a.id, a.username, ${shownDomain()} as domain
     from lists l join list_accounts m on m.list_id = l.id ${MEMBERSHIP_JOIN} join accounts a on a.id = m.account_id
     where l.account_id = $1 and (m.list_id, m.account_id) > ($3, $4) and ${listedForOwner()}
     order by m.list_id, m.account_id limit $2`,
  ),
  first: ['0', '0'],
  next: ({ list_id, id }) => [list_id, id],
  cells: ({ title, ...handle }, address) => [title, address(handle)],
};
const bookmarks: File<{ id: Id; uri: string }> = {
  page: statement<{ id: Id; uri: string }>(
    'export_bookmarks',
    `select i.bookmark_id as id, s.uri from interactions i join statuses s on s.id = i.status_id
     where i.account_id = $1 and i.bookmark_id < $3 and not s.deleted order by i.bookmark_id desc limit $2`,
  ),
  first: [LARGEST_ID],
  next: ({ id }) => [id],
  cells: ({ uri }) => [uri],
};

const FILES: Record<ExportType, File<never>> = {
  following,
  followers,
  blocks,
  mutes,
  'domain-blocks': domainBlocks,
  lists,
  bookmarks,
};

/**
 * Yields an export of a local account in Mastodon's form: CSV text and its number of records, one statement
 * for each page.
 */
export async function* exportFile(
  { db, instance }: { db: Db; instance: Instance },
  accountId: Id,
  type: ExportType,
): AsyncGenerator<{ text: string; rows: number }> {
  const { header, page, first, next, cells } = FILES[type] as File<unknown>;
  if (header) yield { text: csvLine(header), rows: 0 };
  const address = ({ username, domain }: Handle): string => `${username}@${domain ?? instance.domain}`;
  const pages = batchesOf((place, limit) => db.query<unknown>(page, [accountId, limit, ...place]), {
    from: first,
    cursorOf: next,
    size: PAGE,
  });
  for await (const rows of pages) {
    yield { text: rows.map((row) => csvLine(cells(row, address))).join(''), rows: rows.length };
  }
}
