import { listMembers, listsOfAccount } from './accounts.ts';
import { listLists, showList } from './list.ts';

export { followOrRequest, lapsedFollows, MEMBERSHIP_JOIN, tiesAmong } from './accounts.ts';
export { allListsOf, countLists, ownListOf } from './list.ts';

export const listQueries = [listLists, listMembers, listsOfAccount, showList];
