import type { RequestContext } from '../../src/kernel/context.ts';
import { notFound } from '../../src/kernel/errors.ts';
import { isId } from '../../src/kernel/ids.ts';
import type { JsonPieces } from '../../src/kernel/json-pieces.ts';
import { newestFirst, pageRequest, type PageQuery } from '../../src/kernel/paging.ts';
import { statement } from '../../src/kernel/read.ts';
import type { PlacedTerm } from '../../src/kernel/search-text.ts';
import { accountIdOf } from '../accounts/index.ts';
import { findPresent, pageVisibleTo, pageWantedBy } from '../statuses/index.ts';
import { selectByWindows, unprepared, windowedStatement } from '../timelines/index.ts';
import { foundByAnybody, touchedBy, votedBy } from '../visibility/search.ts';
import { parseSearch, type Clause, type ParsedSearch } from './clauses.ts';

/** Further down by `offset` nothing is found; `max_id` goes down to the end. */
const MAX_DEPTH = 2_000;

/**
 * The next posts of each kind of those that a reader may find, along the index or newest first, whichever Postgres holds for
 * cheaper for these very words. Terms are $6 (everybody's posts), $7 (his own, those that mention him, of which $8 are a part, and
 * polls) and $9 (what he favourited, bookmarked or reblogged); null where they are not looked for. $10 and $11 are moments
 * between which they were written; $12 asks for cards that play something.
 */
const SEARCH = unprepared(
  windowedStatement(
    'search_statuses',
    (order) => {
      const next = (terms: string, and: string): string => `
        (select f.status_id from status_search f
         where f.terms @@ ${terms}::tsquery and f.status_id < $2 and f.status_id > $3 and ${and}
           and ($10::timestamptz is null or f.created_at >= $10) and ($11::timestamptz is null or f.created_at < $11)
         order by f.status_id ${order} limit $5)`;
      return [
        next('$6', foundByAnybody('$1', 'f')),
        next('$7', `(f.terms @@ $8::tsquery or ${votedBy('$1', 'f')})`),
        next('$9', touchedBy('$1', 'f')),
      ].join(' union all ');
    },
    `${pageVisibleTo('$1')} and ${pageWantedBy('$1')} and ($12::boolean is null
       or (s.card is not null and position('"type":"video"' in s.card) > 0) = $12)`,
  ),
);

export interface StatusSearch extends PageQuery {
  q: string;
  offset: number;
  /** Only posts of this account. */
  account_id?: string | undefined;
}

/**
 * Posts that the reader may find, newest first, as he sees them: those of his own, those that he has to do with (mentioned,
 * favourited, bookmarked, reblogged, voted), and public ones of accounts that want to be found. Nothing without a reader.
 *
 * @throws RookeryError `invalid` for a search that cannot be read (`parseSearch`), `not_found` for `from:` somebody unknown
 */
export async function searchStatuses(
  ctx: RequestContext,
  { q, offset, account_id, ...query }: StatusSearch,
): Promise<JsonPieces[]> {
  const parsed = parseSearch(q);
  const authors = await authorsIn(parsed.clauses, ctx);
  const terms = tsqueryOf(parsed.clauses, authors);
  const { viewer } = ctx;
  const unknownAuthor = account_id !== undefined && !isId(account_id);
  if (!viewer || isEmpty(parsed) || unknownAuthor || offset > MAX_DEPTH) return [];
  if (account_id !== undefined) terms.push(`'by:${account_id}'`);
  if (await hiding(ctx, parsed.clauses, authors, account_id)) {
    if (parsed.place === 'public') return [];
    parsed.place = 'library';
  }
  const page = pageRequest(query);
  const rows = await selectByWindows(
    ctx,
    SEARCH,
    { ...page, limit: offset + page.limit },
    valuesOf(parsed, terms, viewer.account_id),
  );
  const ids = newestFirst(rows.slice(offset), page).map(({ id }) => id);
  return findPresent(ctx, ids);
}

/** Nothing but punctuation. */
const isEmpty = ({ clauses, place, from, until }: ParsedSearch): boolean =>
  clauses.length === 0 && place === 'all' && from === undefined && until === undefined;

/** $6 to $12. */
function valuesOf(
  { place, from, until, clauses }: ParsedSearch,
  terms: readonly string[],
  readerId: string,
): unknown[] {
  const and = (...more: string[]): string => [...terms, ...more].join(' & ');
  const own = place !== 'public';
  const mine = `'by:${readerId}' | 'to:${readerId}'`;
  const cards = clauses.filter(({ kind }) => kind === 'embed').map(({ excluded }) => !excluded);
  const dates = [from, until].map((time) => (time === undefined ? null : new Date(time).toISOString()));
  return [
    place === 'library' ? null : and(`'in:public'`),
    own ? and(`(${mine} | 'has:poll')`) : null,
    mine,
    own ? and(...(terms.length === 0 ? [EVERYTHING] : [])) : null,
    ...dates,
    cards[0] ?? null,
  ];
}

/** No post has this term. */
const EVERYTHING = `!'is:'`;

/** Each clause as a part of a tsquery; all must be so. */
const tsqueryOf = (clauses: readonly Clause[], authors: ReadonlyMap<string, string>): string[] =>
  clauses.flatMap((clause) => {
    const wanted = termsOf(clause, authors);
    if (wanted === undefined) return [];
    return [clause.excluded ? `!${wanted}` : wanted];
  });

function termsOf(clause: Clause, ids: ReadonlyMap<string, string>): string | undefined {
  switch (clause.kind) {
    case 'words':
      return `(${phraseOf(clause.terms)})`;
    case 'from':
      return `'by:${ids.get(clause.name) ?? ''}'`;
    case 'property':
      return `'${clause.property}'`;
    case 'embed':
      return undefined;
  }
}

/** Terms have nothing but letters, digits and marks in them, so no quotes. */
const phraseOf = (terms: readonly PlacedTerm[]): string =>
  terms
    .map(({ term, at, begins }, index) => {
      const before = terms[index - 1];
      const distance = before ? ` <${at - before.at}> ` : '';
      return `${distance}'${term}'${begins === true ? ':*' : ''}`;
    })
    .join('');

/** @throws RookeryError `not_found` for somebody who is unknown here */
async function authorsIn(
  clauses: readonly Clause[],
  { db, viewer, instance }: RequestContext,
): Promise<Map<string, string>> {
  const names = new Set(clauses.flatMap((clause) => (clause.kind === 'from' ? [clause.name] : [])));
  const found = await Promise.all(
    [...names].map(async (name): Promise<[string, string]> => {
      const id = name === 'me' ? viewer?.account_id : await accountIdOf(db, instance, name);
      if (id === undefined) throw notFound();
      return [name, id];
    }),
  );
  return new Map(found);
}

const HIDING = statement(
  'search_hiding',
  'select 1 as hiding from accounts where id = any($1::bigint[]) and not indexable limit 1',
);

/** Whether an author whose posts are looked for lets nobody find them: then there is no use in going through them all. */
async function hiding(
  { db }: RequestContext,
  clauses: readonly Clause[],
  authors: ReadonlyMap<string, string>,
  accountId: string | undefined,
): Promise<boolean> {
  const named = clauses.flatMap((clause) =>
    clause.kind === 'from' && !clause.excluded ? [authors.get(clause.name)] : [],
  );
  const ids = [...named, accountId].filter((each) => each !== undefined);
  return ids.length > 0 && (await db.query(HIDING, [ids])).length > 0;
}
