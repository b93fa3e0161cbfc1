import { PersonalDataErased } from '#events/erasure.ts';
import {
  FilterCreated,
  FilterDeleted,
  FilterKeywordsEdited,
  FilterStatusAdded,
  FilterStatusRemoved,
  FilterUpdated,
} from '#events/filters.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { tablesOf, together } from '#kernel/table/index.ts';
import { ERASE, FILTERS, KEYWORDS, REVISIONS, STATUSES, TOUCH } from './tables.ts';

interface OfFilter {
  filter_id: string;
  account_id: string;
}

/** Events of different filters are independent. */
const keys = ({ data }: { data: OfFilter }): string[] => [data.filter_id];

const revision = ({ data: { account_id }, position }: RecordedEvent<string, OfFilter>) => ({
  account_id,
  revision: position,
});

/** Filters as their owners set them. `filter_revisions` tells when compiled matchers are out of date. */
export const filters: Projection = {
  name: 'filters',
  version: 2,
  group: MAIN,
  tables: tablesOf(FILTERS, KEYWORDS, STATUSES, REVISIONS),
  handlerIndexes: [
    'create index filter_keywords_of_filter on filter_keywords (filter_id, id)',
    'create index filter_statuses_of_filter on filter_statuses (filter_id, id)',
    'create index filters_of_account on filters (account_id, id)',
  ],
  indexes: ['create index filter_keywords_of_account on filter_keywords (account_id, id)'],
  handlers: [
    on(FilterCreated, {
      keys,
      apply: together(
        FILTERS.insert().each(({ data }) => ({ ...data, id: data.filter_id })),
        KEYWORDS.insert().each(({ data: { filter_id, account_id, keywords } }) =>
          keywords.map((keyword) => ({ filter_id, account_id, ...keyword })),
        ),
        TOUCH.each((event) => revision(event)),
      ),
    }),
    on(FilterUpdated, {
      keys,
      apply: together(
        FILTERS.patch('title', 'context', 'filter_action', 'expires_at').each(({ data }) => ({
          ...data,
          id: data.filter_id,
        })),
        TOUCH.each((event) => revision(event)),
      ),
    }),
    on(FilterKeywordsEdited, {
      keys,
      apply: together(
        KEYWORDS.put().each(({ data: { filter_id, account_id, added, changed } }) =>
          [...added, ...changed].map((keyword) => ({ filter_id, account_id, ...keyword })),
        ),
        KEYWORDS.remove().each(({ data }) => data.removed.map((id) => ({ id }))),
        TOUCH.each((event) => revision(event)),
      ),
    }),
    on(FilterStatusAdded, {
      keys,
      apply: together(
        STATUSES.insert().each(({ data }) => data),
        TOUCH.each((event) => revision(event)),
      ),
    }),
    on(FilterStatusRemoved, {
      keys,
      apply: together(
        STATUSES.remove().each(({ data }) => data),
        TOUCH.each((event) => revision(event)),
      ),
    }),
    on(FilterDeleted, {
      keys,
      apply: together(
        FILTERS.remove().each(({ data }) => ({ id: data.filter_id })),
        KEYWORDS.remove('filter_id').each(({ data }) => data),
        STATUSES.remove('filter_id').each(({ data }) => data),
        TOUCH.each((event) => revision(event)),
      ),
    }),
    onAccounts(PersonalDataErased, ERASE, deleteRowsOf(REVISIONS)),
  ],
};
