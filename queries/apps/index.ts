import { verifyAppCredentials } from './verify-credentials.ts';

export { authorizedApplications, type AuthorizedApplication } from './authorized.ts';
export { findApplication, presentApplication } from './application.ts';
export const appQueries = [verifyAppCredentials];
