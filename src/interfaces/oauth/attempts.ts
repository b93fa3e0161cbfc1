import type { Viewer } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { networkOf } from '../http/client-address.ts';
import type { OAuthDependencies } from './dependencies.ts';
import type { Session } from './sessions.ts';

/*
 * Strangers must neither guess a password nor, by wrong ones, keep its owner out. Attempts of strangers at an account
 * share one count. Browsers that signed in before have a count each. Addresses where the account was used before share
 * a small count, which is taken from that of strangers, so that an attacker gains no guess. Decision 1025 has the figures.
 */

type Limit = OAuthDependencies['limit'];

/** The submitted login, and the client. */
export interface CountedAttempt {
  ip: string;
  login: string;
  /** The browser; absent for apps that send a password. */
  session?: Session;
}

const ADDRESSES = statement<{ ip: string }>(
  'sign_in_addresses',
  'select ip from durable.account_addresses where account_id = $1',
);
/** Is asked about in place of an unknown account, which so takes as long as a known one. */
const NO_ACCOUNT = '0';

/**
 * Counts one attempt of a password by the account that the login leads to: its name, its address and other
 * spellings of both share one count. A login without an account is counted by its canonical spelling, so both
 * look alike. @returns the user of the login @throws RookeryError `too_many_requests`
 */
export async function countAttempt(
  { db, users, limit, sessions }: Pick<OAuthDependencies, 'db' | 'users' | 'limit' | 'sessions'>,
  { ip, login, session }: CountedAttempt,
): Promise<Viewer | undefined> {
  if (session?.device !== undefined) {
    const user = await users.named(login);
    const device = user && (await sessions.deviceKey(session, user.account_id));
    if (device !== undefined && (await hasRoom(limit, 'sign_in_known', device))) return user;
  }
  await limit('sign_in', `ip:${ip}`);
  const user = await users.named(login);
  const isKnown = await isKnownAddress(db, user?.account_id ?? NO_ACCOUNT, ip);
  if (user && isKnown && (await hasRoom(limit, 'sign_in_known', `account:${user.account_id}`))) return user;
  await limit('sign_in_account', user ? `account:${user.account_id}` : `login:${canonicalLogin(login)}`);
  return user;
}

/** Counts one attempt of the current password of a signed-in user. @throws RookeryError `too_many_requests` */
export const countOwnAttempt = (limit: Limit, accountId: string): Promise<void> =>
  limit('own_password', `account:${accountId}`);

/** Counts one attempt of a code in the second step of a sign-in. @throws RookeryError `too_many_requests` */
export async function countCode(
  { limit, sessions }: Pick<OAuthDependencies, 'limit' | 'sessions'>,
  { ip, accountId, session }: { ip: string; accountId: string; session: Session },
): Promise<void> {
  const device = await sessions.deviceKey(session, accountId);
  if (device !== undefined && (await hasRoom(limit, 'second_step', device))) return;
  await limit('sign_in', `ip:${ip}`);
  await limit('second_step', `account:${accountId}`);
}

/** Counts one attempt of a code of a signed-in user. @throws RookeryError `too_many_requests` */
export const countOwnCode = (limit: Limit, accountId: string): Promise<void> =>
  limit('second_step', `own:${accountId}`);

async function isKnownAddress(db: Db, accountId: string, ip: string): Promise<boolean> {
  const known = await db.query(ADDRESSES, [accountId]);
  return known.some((each) => networkOf(each.ip) === networkOf(ip));
}

/** Counts an attempt. @returns false when the count is used up */
async function hasRoom(limit: Limit, kind: Parameters<Limit>[0], key: string): Promise<boolean> {
  try {
    await limit(kind, key);
    return true;
  } catch (error) {
    if (!isRookeryError(error) || error.code !== 'too_many_requests') throw error;
    return false;
  }
}

/**
 * The database compares logins in lower case by its own rules; this form ignores marks and compatibility
 * forms as well.
 */
const canonicalLogin = (login: string): string =>
  login.trim().normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
