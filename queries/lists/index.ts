import { listMembers, listsOfAccount } from './accounts.ts';
import { listLists, showList } from './list.ts';

export { followsAmong, lapsedMembers, MEMBERSHIP_JOIN } from './accounts.ts';
export { countLists, ownListOf } from './list.ts';

export const listQueries = [listLists, listMembers, listsOfAccount, showList];
