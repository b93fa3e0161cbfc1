import type { QuotaItem } from '#events/quotas.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Db } from '#kernel/read.ts';
import { type FilterFacts, filterFacts } from '#queries/filters/index.ts';
import { distinct, type Quota } from '../quotas/index.ts';
import type { Filter } from './filter.ts';

/** Filters of one user. */
export const MAX_FILTERS = 100;
/**
 * Over all filters of a user, which share one matcher: this bounds its memory. Characters, as Postgres counts
 * them.
 */
export const MAX_KEYWORDS = 1_000;
export const MAX_KEYWORD_TEXT = 100_000;

/** Limits the filters and keywords of a user. A user above the limit may still reduce them. */
export const filterQuota = (
  db: Db,
  ownerId: Id,
  { isNew }: { isNew: boolean },
): Quota<Filter, FilterFacts> => ({
  name: 'filters',
  ownerId,
  taken: (before, after) => {
    if (after.state !== 'exists') return [];
    const [then, now] = [sizeOf(before), sizeOf(after)];
    const grows = before.state === 'none' || now.keywords > then.keywords || now.characters > then.characters;
    return grows ? [{ id: after.filter_id, ...now }] : [];
  },
  held: (items) => filterFacts(db, ownerId, distinct(items)),
  check: (held, items) => checkFilterLimits(sumOf(held, items), { isNew }),
});

/** @throws RookeryError `invalid` past a limit */
export function checkFilterLimits(
  { filters, keywords, characters }: FilterFacts,
  { isNew }: { isNew: boolean },
): void {
  if (isNew && filters > MAX_FILTERS) {
    throw invalid(`Validation failed: You cannot have more than ${MAX_FILTERS} filters`);
  }
  if (keywords > MAX_KEYWORDS) {
    throw invalid(`Validation failed: You cannot have more than ${MAX_KEYWORDS} filter keywords`);
  }
  if (characters > MAX_KEYWORD_TEXT) {
    throw invalid(
      `Validation failed: Your filter keywords cannot have more than ${MAX_KEYWORD_TEXT} characters in all`,
    );
  }
}

function sizeOf(state: Filter): { keywords: number; characters: number } {
  if (state.state !== 'exists') return { keywords: 0, characters: 0 };
  const texts = [...state.keywords.values()].map(({ keyword }) => [...keyword].length);
  return { keywords: texts.length, characters: texts.reduce((sum, length) => sum + length, 0) };
}

/** When several requests change one filter, its largest possible size counts. */
function sumOf(held: FilterFacts, items: readonly QuotaItem[]): FilterFacts {
  const ids = distinct(items);
  const most = (id: Id, size: (item: QuotaItem) => number | undefined): number =>
    Math.max(...items.filter((item) => item.id === id).map((item) => size(item) ?? 0));
  return {
    filters: held.filters + ids.length,
    keywords: ids.reduce((sum, id) => sum + most(id, (item) => item.keywords), held.keywords),
    characters: ids.reduce((sum, id) => sum + most(id, (item) => item.characters), held.characters),
  };
}
