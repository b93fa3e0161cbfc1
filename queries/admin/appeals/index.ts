import { listAdminAppeals, showAdminAppeal } from './list.ts';

export { adminAppealText } from './appeal.ts';
export { newestAppeals, type ListedAppeal } from './newest.ts';
export { appealOf, judgesOf } from './facts.ts';

export const adminAppealQueries = [listAdminAppeals, showAdminAppeal];
