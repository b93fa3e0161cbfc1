import { accountPage } from './account.ts';
import { accountActPage } from './act.ts';
import { decideSignUpsPage } from './decide-sign-ups.ts';
import { accountsPage } from './list.ts';
import { signUpsPage } from './sign-ups.ts';

export const accountAdminPages = [accountsPage, accountPage, accountActPage, signUpsPage, decideSignUpsPage];
