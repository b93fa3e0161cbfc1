export { rememberAccount, type RemoteAccount } from './remember-account.ts';
export { rememberStatus, type RemoteStatus } from './remember-status.ts';
export { fetchReplies } from './fetch-replies.ts';
