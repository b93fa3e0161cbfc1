import { verifyCredentials } from './credentials.ts';
import { lookupAccount, showAccount, showAccounts } from './show.ts';
import { accountStatuses } from './statuses.ts';

export { credentialsText } from './credentials.ts';
export { accountText, acctKey } from './show.ts';
export { signUpApplication } from './sign-up-application.ts';
export const accountQueries = [verifyCredentials, lookupAccount, showAccounts, showAccount, accountStatuses];
