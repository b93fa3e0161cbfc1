import { listAccountsV1 } from './list-v1.ts';
import { listAccountsV2 } from './list-v2.ts';
import { showAccountRecord } from './record.ts';
import { showAdminAccount } from './show.ts';

export { adminAccountText } from './find.ts';
export { ACCOUNT_STATES, type AccountState } from './find.ts';
export { accountRows, type AccountRow, type RowFilter } from './rows.ts';
export { ownersBesides } from './owners.ts';
export { staffAddresses, staffWhoMay, type MemberOfStaff } from './staff-addresses.ts';

export const adminAccountQueries = [listAccountsV1, listAccountsV2, showAccountRecord, showAdminAccount];
