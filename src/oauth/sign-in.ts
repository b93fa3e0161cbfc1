import { isRookeryError } from '../kernel/errors.ts';
import type { Viewer } from '../kernel/context.ts';
import type { OAuthDependencies } from './dependencies.ts';
import { signIn, whyNot } from './users.ts';

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
  const tooMany = await countAttempt(limit, { ip, login });
  if (tooMany) return tooMany;
  const user = await signIn(db, credentials, login, password);
  if (!user) return { status: 422, error: WRONG };
  const reason = whyNot(user);
  if (reason !== undefined) return { status: 403, error: reason };
  signedIn(user.account_id, ip);
  return { user };
}

/** Counts one try of a password. @returns why no other may follow at once */
export async function countAttempt(
  limit: SignInDependencies['limit'],
  { ip, login }: Omit<Attempt, 'password'>,
): Promise<Refusal | undefined> {
  try {
    await limit('sign_in', `ip:${ip}`);
    await limit('sign_in', `login:${login.trim().toLowerCase()}`);
  } catch (error) {
    if (!isRookeryError(error) || error.code !== 'too_many_requests') throw error;
    return { status: 429, error: TOO_MANY, headers: error.extras.headers ?? {} };
  }
  return undefined;
}

const WRONG = 'The e-mail address, the username or the password is wrong.';
const TOO_MANY = 'Too many attempts. Please wait a while before you try again.';
