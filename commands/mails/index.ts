export {
  addressChangeMail,
  addressLeavesMail,
  approvedMail,
  archiveReadyMail,
  confirmationMail,
  passwordChangedMail,
  passwordResetMail,
  twoFactorMail,
  type TwoFactorNews,
} from './account.ts';
export { accountPage, appealPage, reportPage, SIGN_UPS_PAGE, TREND_PAGES } from './console-paths.ts';
export type { MailContent } from './compose.ts';
export { judgementMail, warningMail } from './moderation.ts';
export { appealMail, pendingSignUpMail, reportMail, trendReviewMail } from './staff.ts';
export { strikePath, WORDS_OF_STRIKES } from './strikes.ts';
