import { checkConfirmation } from './check-confirmation.ts';

export const emailQueries = [checkConfirmation];
