import { listMembers, listsOfAccount } from './accounts.ts';
import { listLists, showList } from './lists.ts';

export { followsAmong, lapsedFollows, MEMBERSHIP_JOIN } from './accounts.ts';
export { countLists, ownListOf } from './lists.ts';

export const listQueries = [listLists, listMembers, listsOfAccount, showList];
