import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';
import type { Filter, FilterContext, FilterKeyword, FilterStatus } from '#mastodon/schemas/index.ts';

/** Selects the filters of an account ($1), or one of them ($2), oldest first. */
const FILTERS = statement<Row>(
  'filters_of_account',
  `select f.id, f.title, f.context, f.expires_at, f.filter_action,
     (select json_agg(json_build_object('id', k.id::text, 'keyword', k.keyword, 'whole_word', k.whole_word)
        order by k.id) from filter_keywords k where k.filter_id = f.id) as keywords,
     (select json_agg(json_build_object('id', s.id::text, 'status_id', s.status_id::text) order by s.id)
        from filter_statuses s where s.filter_id = f.id) as statuses
   from filters f where f.account_id = $1 and ($2::bigint is null or f.id = $2) order by f.id`,
);
const FILTER_ID_OF_KEYWORD = statement<{ filter_id: Id }>(
  'filter_id_of_keyword',
  'select filter_id from filter_keywords where id = $1 and account_id = $2',
);
const FILTER_ID_OF_STATUS = statement<{ filter_id: Id }>(
  'filter_id_of_status',
  'select filter_id from filter_statuses where id = $1 and account_id = $2',
);
const FACTS = statement<FilterFacts>(
  'filter_facts',
  `select (select count(*)::int from filters f where f.account_id = $1 and not f.id = any($2::bigint[])) as filters,
     count(*)::int as keywords, coalesce(sum(length(k.keyword)), 0)::int as characters
   from filter_keywords k where k.account_id = $1 and not k.filter_id = any($2::bigint[])`,
);

interface Row {
  id: Id;
  title: string;
  context: string;
  expires_at: string | null;
  filter_action: Filter['filter_action'];
  keywords: FilterKeyword[] | null;
  statuses: FilterStatus[] | null;
}

/** A filter with its keywords and statuses. */
export type FullFilter = Filter & { keywords: FilterKeyword[]; statuses: FilterStatus[] };

/** The numbers that limit a user's filters. */
export interface FilterFacts {
  filters: number;
  /** The number of keywords in all filters, and their total length. */
  keywords: number;
  characters: number;
}

/** Returns every filter of an account, including expired ones. */
export async function filtersOfAccount(db: Db, accountId: Id): Promise<FullFilter[]> {
  return (await db.query(FILTERS, [accountId, null])).map(filterOf);
}

/** Throws RookeryError `not_found` for another user's filter, like for a missing one. */
export async function ownFilterOf(db: Db, accountId: Id, id: Id): Promise<FullFilter> {
  const [row] = await db.query(FILTERS, [accountId, id]);
  if (!row) throw notFound();
  return filterOf(row);
}

/** Returns the filter with this keyword. @throws RookeryError `not_found` unless the account owns it */
export const filterIdOfKeyword = (db: Db, accountId: Id, keywordId: Id): Promise<Id> =>
  filterIdOf(db, FILTER_ID_OF_KEYWORD, accountId, keywordId);

/** Returns the filter with this status entry. @throws RookeryError `not_found` unless the account owns it */
export const filterIdOfStatus = (db: Db, accountId: Id, entryId: Id): Promise<Id> =>
  filterIdOf(db, FILTER_ID_OF_STATUS, accountId, entryId);

/** Returns these numbers for all but the given filters. */
export async function filterFacts(db: Db, accountId: Id, besides: readonly Id[]): Promise<FilterFacts> {
  const [facts] = await db.query(FACTS, [accountId, besides]);
  return facts ?? { filters: 0, keywords: 0, characters: 0 };
}

async function filterIdOf(db: Db, lookup: Statement<{ filter_id: Id }>, accountId: Id, id: Id): Promise<Id> {
  const [row] = await db.query(lookup, [id, accountId]);
  if (!row) throw notFound();
  return row.filter_id;
}

const filterOf = ({ context, keywords, statuses, ...row }: Row): FullFilter => ({
  ...row,
  context: JSON.parse(context) as FilterContext[],
  keywords: keywords ?? [],
  statuses: statuses ?? [],
});
