import { actOnAccount } from './action.ts';
import { deleteAccount } from './delete.ts';
import { enableAccount, unsensitiveAccount, unsilenceAccount, unsuspendAccount } from './lift.ts';
import { approveAccount, rejectAccount } from './sign-ups.ts';

export const adminAccountCommands = [
  actOnAccount,
  approveAccount,
  rejectAccount,
  deleteAccount,
  enableAccount,
  unsensitiveAccount,
  unsilenceAccount,
  unsuspendAccount,
];
