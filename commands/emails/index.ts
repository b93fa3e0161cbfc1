import { resendConfirmation } from './resend.ts';

export { decideCorrectEmail, sendConfirmationAgain } from './resend.ts';
export const emailCommands = [resendConfirmation];
