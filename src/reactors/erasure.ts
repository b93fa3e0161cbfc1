import { erase } from '../../commands/erasure/index.ts';
import { AccountErased } from '../events/erasure.ts';
import { UserRejected } from '../events/moderation.ts';
import { reactor } from '../kernel/reactor.ts';

/** Accounts with very many posts and followers take long. */
const DEADLINE = 60 * 60_000;

/** Removes the remaining data of erased users and of rejected sign-ups. */
export const erasures = reactor({
  name: 'erasures',
  on: [AccountErased, UserRejected],
  begins: 'start',
  deadline: DEADLINE,
  attempts: 10,
  react: async (ctx, { data }, { signal }) => {
    await erase(ctx, data.account_id, signal);
  },
});
