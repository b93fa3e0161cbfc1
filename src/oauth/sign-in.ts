import { instanceSettings } from '../../queries/instance/index.ts';
import { isRookeryError } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/context.ts';
import type { Db } from '../kernel/read.ts';
import type { OAuthDependencies } from './dependencies.ts';
import { awaitsConfirmation, signIn, whyNot } from './users.ts';

export type SignInDependencies = Pick<OAuthDependencies, 'db' | 'credentials' | 'limit' | 'signedIn'>;

/** What somebody typed, and where from. */
export interface Attempt {
  login: string;
  password: string;
  ip: string;
}

/** Why nobody gets in, in words for the page. */
export interface Refusal {
  status: 403 | 422 | 429;
  error: string;
  headers?: Record<string, string>;
  /** Whose password it was, where all that is missing is that the address is confirmed. */
  newcomer?: Viewer;
}

const MAX_LOGIN = 320;
const MAX_PASSWORD = 1_000;

/** Signs in with a password on a page: counted by address and login, and the same answer for a wrong password and an unknown user. */
export async function attemptSignIn(
  dependencies: SignInDependencies,
  { login, password, ip }: Attempt,
): Promise<{ user: Viewer } | Refusal> {
  const { db, credentials, limit, signedIn } = dependencies;
  if (login.length > MAX_LOGIN || password.length > MAX_PASSWORD) return { status: 422, error: WRONG };
  try {
    await countAttempt(limit, { ip, login });
  } catch (error) {
    if (!isRookeryError(error) || error.code !== 'too_many_requests') throw error;
    return { status: 429, error: TOO_MANY, headers: error.extras.headers ?? {} };
  }
  const user = await signIn(db, credentials, login, password);
  if (!user) return { status: 422, error: WRONG };
  const reason = whyNot(user);
  if (reason !== undefined) {
    return { status: 403, error: reason, ...(awaitsConfirmation(user) ? { newcomer: user } : {}) };
  }
  signedIn(user.account_id, ip);
  return { user };
}

/** Counts one try of a password. @throws RookeryError `too_many_requests` */
export async function countAttempt(
  limit: SignInDependencies['limit'],
  { ip, login }: Omit<Attempt, 'password'>,
): Promise<void> {
  await limit('sign_in', `ip:${ip}`);
  await limit('sign_in', `login:${login.trim().toLowerCase()}`);
}

/** A page from which the way leads back to `then`, a path of ours, where that is not too long. */
export const carrying = (page: string, then: string | undefined): string =>
  then === undefined || then.length > MAX_CARRIED
    ? page
    : `${page}?${new URLSearchParams({ return_to: then }).toString()}`;

/** Where a link for a new password is asked for. */
export const passwordForgotten = (then: string | undefined): string => carrying(PASSWORD_FORGOTTEN, then);

/** Where who has no account makes one; undefined where nobody can. */
export async function signUpFor(db: Db, then: string | undefined): Promise<string | undefined> {
  const { registrations } = await instanceSettings(db);
  return registrations === 'closed' ? undefined : carrying(SIGN_UP, then);
}

export const PASSWORD_FORGOTTEN = '/auth/password/new';
export const SIGN_UP = '/auth/sign_up';
/** Where who has just signed up is told what is missing, and has the mail sent again. */
export const SETUP = '/auth/setup';
/** Browsers and Node bound what a request may carry. */
const MAX_CARRIED = 2_500;

const WRONG = 'The e-mail address, the username or the password is wrong.';
export const TOO_MANY = 'Too many attempts. Please wait a while before you try again.';
