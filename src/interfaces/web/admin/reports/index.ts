import { action } from '#interfaces/web/page/action.ts';
import { reportActPage } from './act.ts';
import { reportCategoryPage } from './category.ts';
import { reportsPage } from './list.ts';
import { reportPage } from './report.ts';

export const reportPages = [
  reportsPage,
  reportPage,
  reportCategoryPage,
  reportActPage,
  action('POST v1/admin/reports/:id/assign_to_self', { body: () => ({}), notice: 'report_assigned' }),
  action('POST v1/admin/reports/:id/unassign', { body: () => ({}), notice: 'report_unassigned' }),
];
