import { action } from '#interfaces/web/page/action.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { editFilterPage, newFilterPage } from './change.ts';
import { deleteFilterPage, filtersPage } from './list.ts';
import { filterStatusPage } from './status.ts';
import { filterStatusesPage } from './statuses.ts';

/** Filters. */
export const filterPages: readonly WebPage[] = [
  filtersPage,
  newFilterPage,
  filterStatusPage,
  editFilterPage,
  deleteFilterPage,
  filterStatusesPage,
  action('POST v2/filters/:filter_id/statuses', {
    notice: 'post_filtered',
    leadsTo: (_answer, { params }) => `/filters/${params.filter_id}/statuses`,
  }),
  action('DELETE v2/filters/statuses/:id'),
];
