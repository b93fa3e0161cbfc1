import { mailAppeal, mailPendingSignUp, mailReport, mailTrendReviews } from '#commands/staff-mails/index.ts';
import { UserConfirmed, UserRegistered } from '#events/accounts.ts';
import { AppealFiled } from '#events/appeals.ts';
import { ReportFiled } from '#events/reports.ts';
import { TrendReviewsRequested } from '#events/trends.ts';
import { reactor } from '#kernel/reactor.ts';

/** Mails staff about trends that await a review. The name is older than reviews of posts and links. */
export const trendReviewMails = reactor({
  name: 'tag-reviews',
  on: [TrendReviewsRequested],
  react: async (ctx, { data }) => {
    await mailTrendReviews(ctx, data);
  },
});

/** Mails staff about a new report. */
export const reportMails = reactor({
  name: 'report-mails',
  on: [ReportFiled],
  react: async (ctx, { data }) => {
    await mailReport(ctx, data);
  },
});

/** Mails staff about an appeal. */
export const appealMails = reactor({
  name: 'appeal-mails',
  on: [AppealFiled],
  react: async (ctx, { data }) => {
    await mailAppeal(ctx, data.id);
  },
});

/** Mails staff about sign-ups that await approval, once their address is confirmed. */
export const pendingSignUpMails = reactor({
  name: 'pending-sign-ups',
  on: [UserConfirmed, UserRegistered],
  ignores: (event) => event.type === 'UserRegistered' && (event.data.approved || !event.data.confirmed),
  react: async (ctx, { data }) => {
    await mailPendingSignUp(ctx, data.account_id);
  },
});
