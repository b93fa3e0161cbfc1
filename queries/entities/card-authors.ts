import type { RequestContext } from '#kernel/context.ts';
import { statement } from '#kernel/read.ts';
import { profileShownTo } from '../visibility/accounts.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from './account.ts';
import { fillOrigins } from './ready-json.ts';

const FIND = statement<AccountRow>(
  'accounts_of_cards',
  `select ${ACCOUNT_COLUMNS} from unnest((select $2::bigint[])) as asked (id) join accounts a on a.id = asked.id ${ACCOUNT_STATS}
   where ${profileShownTo('$1')}`,
);

const NONE: ReadonlyMap<string, string> = new Map();

/** Returns the authors of linked pages that the viewer may see, as JSON by id. One statement if there are any. */
export async function cardAuthors(
  { db, viewer, instance }: RequestContext,
  accountIds: Iterable<string | null | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(accountIds)].filter((id) => id != null);
  if (ids.length === 0) return NONE;
  const rows = await db.query(FIND, [viewer?.account_id ?? null, ids]);
  return new Map(rows.map((row) => [row.account_id, fillOrigins(accountJson(row), instance)]));
}

/** Its quotation marks are not escaped, so no text of a page contains it. */
const ACCOUNT = '"account":null';

/** Splits ready JSON with a card before the author's account; the whole and nothing without an author. */
export function splitAtCardAuthor(text: string, authorId: string | null): [before: string, rest: string] {
  const at = authorId === null ? -1 : text.indexOf(ACCOUNT);
  if (at < 0) return [text, ''];
  return [text.slice(0, at + '"account":'.length), text.slice(at + ACCOUNT.length)];
}

export interface CardRow {
  /** Ready JSON. */
  card: string;
  card_author_id: string | null;
}

/** Fills in the authors of cards. One statement if there are any. */
export async function withCardAuthors<Row extends CardRow>(
  ctx: RequestContext,
  rows: readonly Row[],
): Promise<Row[]> {
  const authors = await cardAuthors(
    ctx,
    rows.map((row) => row.card_author_id),
  );
  return rows.map((row) => {
    const author = authors.get(row.card_author_id ?? '');
    if (author === undefined) return row;
    const [before, rest] = splitAtCardAuthor(row.card, row.card_author_id);
    return { ...row, card: `${before}${author}${rest}` };
  });
}
