import { listKeywords, showKeyword, showKeywordUnderV1 } from './keywords.ts';
import { listFilters, showFilter } from './list.ts';
import { listFilterStatuses, showFilterStatus } from './statuses.ts';
import { listV1Filters, showV1Filter } from './v1.ts';

export { ownKeywordOf } from './keywords.ts';
export { filterFacts, filterIdOfKeyword, filterIdOfStatus, ownFilterOf, type FilterFacts } from './read.ts';
export { filtersAt, filtersOf, type FilteredStatus, type ViewerFilters } from './matcher.ts';
export { ownFilterStatusOf, statusIsVisible } from './statuses.ts';
export { ownV1FilterOf } from './v1.ts';

export const filterQueries = [
  listFilters,
  listV1Filters,
  showKeyword,
  showKeywordUnderV1,
  showFilterStatus,
  listKeywords,
  listFilterStatuses,
  showFilter,
  showV1Filter,
];
