import { resendConfirmation } from './resend.ts';

export { decideCorrectEmail } from './resend.ts';
export const emailCommands = [resendConfirmation];
