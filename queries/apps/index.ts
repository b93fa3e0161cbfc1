import { verifyAppCredentials } from './verify-credentials.ts';

export { findApplication } from './application.ts';
export const appQueries = [verifyAppCredentials];
