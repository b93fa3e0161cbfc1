import { eraseGone } from '#commands/erasure/index.ts';
import { RemoteAccountGone } from '#events/accounts.ts';
import { ReportResolved } from '#events/reports.ts';
import { reactor } from '#kernel/reactor.ts';
import { goneTarget } from '#queries/reports/index.ts';

/** Accounts with very many posts and followers take long. */
const DEADLINE = 60 * 60_000;

/** Erases an account that its own server deleted, once no open report concerns it. */
export const goneAccounts = reactor({
  name: 'gone-accounts',
  on: [RemoteAccountGone, ReportResolved],
  deadline: DEADLINE,
  attempts: 10,
  react: async (ctx, { type, data }, { signal }) => {
    const gone = type === 'ReportResolved' ? await goneTarget(ctx.db, data.id) : data.account_id;
    if (gone !== undefined) await eraseGone(ctx, gone, signal);
  },
});
