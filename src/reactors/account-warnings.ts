import { mailWarning } from '#commands/accounts/index.ts';
import { AccountWarned } from '#events/moderation.ts';
import { reactor } from '#kernel/reactor.ts';

/** Mails users the warnings and actions of staff. */
export const accountWarnings = reactor({
  name: 'account-warnings',
  on: [AccountWarned],
  react: async (ctx, { data }) => {
    if (data.notified) await mailWarning(ctx, data);
  },
});
