import {
  mailAppeal,
  mailPendingSignUp,
  mailReport,
  mailTagReview,
} from '../../commands/staff-mails/index.ts';
import { UserConfirmed, UserRegistered } from '../events/accounts.ts';
import { AppealFiled } from '../events/appeals.ts';
import { ReportFiled } from '../events/reports.ts';
import { TagReviewRequested } from '../events/tags.ts';
import { MAIN } from '../kernel/projection.ts';
import { reactor } from '../kernel/reactor.ts';

/** Staff hears of a hashtag that begins to trend and waits for a decision. */
export const tagReviewMails = reactor({
  name: 'tag-reviews',
  on: [TagReviewRequested],
  react: async (ctx, { data }) => {
    await ctx.settle([MAIN]);
    await mailTagReview(ctx, data);
  },
});

/** Staff hears of a new report. */
export const reportMails = reactor({
  name: 'report-mails',
  on: [ReportFiled],
  react: async (ctx, { data }) => {
    await ctx.settle([MAIN]);
    await mailReport(ctx, data);
  },
});

/** Staff hears of an appeal. */
export const appealMails = reactor({
  name: 'appeal-mails',
  on: [AppealFiled],
  react: async (ctx, { data }) => {
    await ctx.settle([MAIN]);
    await mailAppeal(ctx, data.id);
  },
});

/** Staff hears of who waits to be let in, once the address is known to be theirs. */
export const pendingSignUpMails = reactor({
  name: 'pending-sign-ups',
  on: [UserConfirmed, UserRegistered],
  ignores: (event) => event.type === 'UserRegistered' && (event.data.approved || !event.data.confirmed),
  react: async (ctx, { data }) => {
    await ctx.settle([MAIN]);
    await mailPendingSignUp(ctx, data.account_id);
  },
});
