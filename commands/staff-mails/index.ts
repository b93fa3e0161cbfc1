export { mailAppeal } from './appeal.ts';
export { mailPendingSignUp } from './pending-sign-up.ts';
export { mailReport } from './report.ts';
export { mailTrendReviews } from './trend-reviews.ts';
