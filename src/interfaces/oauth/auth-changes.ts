/**
 * The NOTIFY channel for changed facts about callers: the id of an account, or `token:` and the base64
 * SHA-256 of one access token. Any other text means everything.
 */
export const AUTH_CHANNEL = 'rookery_auth';

export const ofAccount = (accountId: string): string => accountId;
export const ofToken = (tokenHash: string): string => `token:${tokenHash}`;

export type AuthChange = { accountId: string } | { tokenHash: string } | 'everything';

/** Parses a notification. */
export function readAuthChange(payload: string): AuthChange {
  if (/^[0-9]+$/.test(payload)) return { accountId: payload };
  return payload.startsWith('token:') ? { tokenHash: payload.slice('token:'.length) } : 'everything';
}
