import { listAdminAppeals, showAdminAppeal } from './list.ts';

export { adminAppealText } from './appeal.ts';
export { appealOf, judgesOf } from './facts.ts';

export const adminAppealQueries = [listAdminAppeals, showAdminAppeal];
