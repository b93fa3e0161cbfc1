import type { RequestContext } from '#kernel/context.ts';
import { notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import type { JsonPieces } from '#kernel/json-pieces.ts';
import { newestFirst, type PageQuery, pageRequest } from '#kernel/paging.ts';
import { type Phrase, signOf } from '#mastodon/search-text.ts';
import { accountIdOf } from '../accounts/index.ts';
import { findPresent, pageNotMutedBy, pageVisibleTo } from '../statuses/index.ts';
import { selectByWindows, unprepared, windowedStatement } from '../timelines/index.ts';
import { foundByAnybody, foundByReader } from '../visibility/search.ts';
import { type Clause, type ParsedSearch, parseSearch } from './clauses.ts';

/** The maximum `offset`, beyond which nothing is found; `max_id` has no limit. */
const MAX_DEPTH = 2_000;

/**
 * The next posts of each kind that the viewer may find, along the index or newest first, whichever plan
 * Postgres prefers for these words. They match all patterns of $6 and none of $7. $8 is a tsquery for a part
 * of that, which the index answers; null without words. $9 includes public posts, $10 the viewer's own and
 * related ones. $11 and $12 bound the time of posting; $13 requires a playable card.
 */
const SEARCH = unprepared(
  windowedStatement(
    'search_statuses',
    (order) => {
      const next = (kind: string): string => `
        (select f.status_id from status_search f
         where ${kind} and f.status_id < $2 and f.status_id > $3
           and f.words like all ($6::text[]) and not f.words like any ($7::text[])
           and ($11::timestamptz is null or f.created_at >= $11) and ($12::timestamptz is null or f.created_at < $12)
         order by f.status_id ${order} limit $5)`;
      return [
        `$9::boolean and ($8::tsquery is null or f.words::tsvector @@ $8::tsquery) and ${foundByAnybody('$1', 'f')}`,
        ...foundByReader('$1', 'f').map((kind) => `$10::boolean and ${kind}`),
      ]
        .map(next)
        .join(' union all ');
    },
    `${pageVisibleTo('$1')} and ${pageNotMutedBy('$1')} and ($13::boolean is null
       or (s.card is not null and position('"type":"video"' in s.card) > 0) = $13)`,
  ),
);

export interface StatusSearch extends PageQuery {
  q: string;
  offset: number;
  /** Only posts of this account. */
  account_id?: string | undefined;
}

/**
 * Returns the posts that the viewer may find, newest first: their own, related ones (mentioned, favourited,
 * bookmarked, reblogged, voted), and public ones of discoverable accounts; without a viewer nothing. @throws
 * RookeryError `invalid` for a malformed search (`parseSearch`), `not_found` for `from:` with an unknown
 * account
 */
export async function searchStatuses(
  ctx: RequestContext,
  { q, offset, account_id, ...query }: StatusSearch,
): Promise<JsonPieces[]> {
  const parsed = parseSearch(q);
  const conditions = await conditionsOf(ctx, parsed.clauses);
  const { viewer } = ctx;
  const unknownAuthor = account_id !== undefined && !isId(account_id);
  if (!viewer || isEmpty(parsed) || unknownAuthor || offset > MAX_DEPTH) return [];
  if (account_id !== undefined) conditions.push(single(signOf('by', account_id), false));
  const page = pageRequest(query);
  const rows = await selectByWindows(
    ctx,
    SEARCH,
    { ...page, limit: offset + page.limit },
    valuesOf(parsed, conditions),
  );
  const ids = newestFirst(rows.slice(offset), page).map(({ id }) => id);
  return findPresent(ctx, ids);
}

/** Returns true for a search of punctuation only. */
const isEmpty = ({ clauses, place, from, until }: ParsedSearch): boolean =>
  clauses.length === 0 && place === 'all' && from === undefined && until === undefined;

/** Returns the values from $6 to $13. */
function valuesOf(
  { place, from, until, clauses }: ParsedSearch,
  conditions: readonly Condition[],
): unknown[] {
  const wanted = conditions.filter(({ excluded }) => !excluded);
  const unwanted = conditions.filter(({ excluded }) => excluded);
  const cards = clauses.filter(({ kind }) => kind === 'embed').map(({ excluded }) => !excluded);
  const dates = [from, until].map((time) => (time === undefined ? null : new Date(time).toISOString()));
  return [
    wanted.map(patternOf),
    unwanted.map(patternOf),
    wanted.length === 0 ? null : wanted.map(tsqueryOf).join(' & '),
    place !== 'library',
    place !== 'public',
    ...dates,
    cards[0] ?? null,
  ];
}

/** A condition on the words of a post, in the form that the projection stores. */
interface Condition extends Phrase {
  excluded: boolean;
}

const single = (word: string, excluded: boolean): Condition => ({ words: [word], begins: false, excluded });

/** Words contain letters, digits and marks only, and signs (`signOf`) no character that needs escaping. */
const patternOf = ({ words, begins }: Phrase): string => `% ${words.join(' ')}${begins ? '' : ' '}%`;
const tsqueryOf = ({ words, begins }: Phrase): string =>
  `${words.map((word) => `'${word}'`).join(' & ')}${begins ? ':*' : ''}`;

/** Throws RookeryError `not_found` for `from:` with an unknown account. */
async function conditionsOf(ctx: RequestContext, clauses: readonly Clause[]): Promise<Condition[]> {
  const authors = new Map<string, Promise<string>>();
  const authorOf = (name: string): Promise<string> => {
    const known = authors.get(name) ?? authorNamed(name, ctx);
    authors.set(name, known);
    return known;
  };
  const found = await Promise.all(
    clauses.map(async (clause): Promise<Condition[]> => {
      const { excluded } = clause;
      switch (clause.kind) {
        case 'words':
          return [{ ...clause.phrase, excluded }];
        case 'property':
          return [single(clause.property, excluded)];
        case 'from':
          return [single(signOf('by', await authorOf(clause.name)), excluded)];
        case 'embed':
          return [];
      }
    }),
  );
  return found.flat();
}

async function authorNamed(name: string, { db, viewer, instance }: RequestContext): Promise<string> {
  const id = name === 'me' ? viewer?.account_id : await accountIdOf(db, instance, name);
  if (id === undefined) throw notFound();
  return id;
}
