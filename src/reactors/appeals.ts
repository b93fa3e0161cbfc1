import { mailJudgement } from '#commands/strikes/index.ts';
import { AppealApproved, AppealRejected } from '#events/appeals.ts';
import { reactor } from '#kernel/reactor.ts';

/** Mails the decision to the user who appealed. */
export const appealDecisions = reactor({
  name: 'appeal-decisions',
  on: [AppealApproved, AppealRejected],
  react: async (ctx, { type, data }) => {
    await mailJudgement(ctx, { ...data, verdict: type === 'AppealApproved' ? 'approved' : 'rejected' });
  },
});
