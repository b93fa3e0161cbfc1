import { reportWrongCode, twoFactorOf, useSecondFactor, WRONG_CODE } from '#commands/accounts/index.ts';
import type { Viewer } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { countAttempt, countCode } from './attempts.ts';
import type { OAuthDependencies } from './dependencies.ts';
import type { Session } from './sessions.ts';
import { awaitsConfirmation, isLockedOut, signIn, whyNot } from './users.ts';

export type SignInDependencies = Pick<
  OAuthDependencies,
  'db' | 'users' | 'credentials' | 'sessions' | 'limit' | 'signedIn' | 'context'
>;

/** The submitted form, and the client. */
export interface Attempt {
  login: string;
  password: string;
  ip: string;
  /** Also admits suspended and disabled users, who may open only the pages about that. */
  allowsLockedOut?: boolean;
}

/** The browser after the attempt: signed in, or `awaitsCode` of the second step. */
export interface Entry {
  session: Session;
  awaitsCode: boolean;
  /** The user is suspended or disabled. */
  lockedOut: boolean;
}

/** The reason for a refusal, for the page. */
export interface SignInRefusal {
  status: 403 | 422 | 429;
  error: string;
  headers?: Record<string, string>;
  /** The user, when only the confirmation of the e-mail address is missing. */
  newcomer?: Viewer;
  /** The password was correct, and the user is suspended or disabled. */
  lockedOut?: true;
}

const MAX_LOGIN = 320;
const MAX_PASSWORD = 1_000;
/** Codes are shorter, even with blanks and dashes. */
const MAX_CODE = 100;

/**
 * Signs in with a password on a page. Attempts count by address and login, and a wrong password gets the same
 * reply as an unknown user. With two-factor sign-in, the user is signed in only by `attemptSecondStep`.
 */
export async function attemptSignIn(
  dependencies: SignInDependencies,
  session: Session,
  { login, password, ip, allowsLockedOut = false }: Attempt,
): Promise<Entry | SignInRefusal> {
  const { credentials, sessions, signedIn, context } = dependencies;
  if (login.length > MAX_LOGIN || password.length > MAX_PASSWORD) return { status: 422, error: WRONG };
  let found: Viewer | undefined;
  const tooMany = await refusalOf(async () => {
    found = await countAttempt(dependencies, { ip, login, session });
  });
  if (tooMany) return tooMany;
  const user = await signIn(credentials, found, password);
  if (!user) return { status: 422, error: WRONG };
  const refused = refusalFor(user, allowsLockedOut);
  if (refused) return refused;
  const { account_id } = user;
  const lockedOut = isLockedOut(user);
  if ((await twoFactorOf(context(ip, user), account_id)).on) {
    return { session: await sessions.beginSecondStep(session, account_id), awaitsCode: true, lockedOut };
  }
  // Others see a suspended or disabled user as inactive.
  if (!lockedOut) signedIn(account_id, ip);
  return { session: await sessions.signIn(session, account_id), awaitsCode: false, lockedOut };
}

function refusalFor(user: Viewer, allowsLockedOut: boolean): SignInRefusal | undefined {
  const error = whyNot(user);
  if (error === undefined || (allowsLockedOut && isLockedOut(user))) return undefined;
  return {
    status: 403,
    error,
    ...(awaitsConfirmation(user) ? { newcomer: user } : {}),
    ...(isLockedOut(user) ? { lockedOut: true } : {}),
  };
}

/**
 * Completes the second step in a browser in which the password was correct a short time ago: takes a code of
 * the authenticator app or a recovery code of that user, whichever user the form names. Undefined when the
 * first step must be repeated.
 */
export async function attemptSecondStep(
  dependencies: SignInDependencies,
  session: Session,
  { code, ip, allowsLockedOut = false }: { code: string; ip: string; allowsLockedOut?: boolean },
): Promise<Entry | SignInRefusal | undefined> {
  const { users, sessions, signedIn, context } = dependencies;
  const accountId = await sessions.awaitingCode(session);
  const user = accountId === undefined ? undefined : await users.byId(accountId);
  if (!user) return undefined;
  const tooMany = await refusalOf(() => countCode(dependencies, { ip, accountId: user.account_id, session }));
  if (tooMany) return tooMany;
  const refused = refusalFor(user, allowsLockedOut);
  if (refused) return refused;
  if (code.length > MAX_CODE) return { status: 422, error: WRONG_CODE };
  try {
    await useSecondFactor(context(ip, user), user.account_id, code);
  } catch (error) {
    if (!isRookeryError(error)) throw error;
    if (error.code === 'invalid') {
      await reportWrongCode(context(ip, user), user.account_id);
      return { status: 422, error: WRONG_CODE };
    }
    if (error.code !== 'gone') throw error;
    // The second factor was disabled in the meantime: no code is needed.
    await sessions.signOut(session);
    return undefined;
  }
  const signed = await sessions.finishSecondStep(session);
  if (!signed) return undefined;
  const lockedOut = isLockedOut(user);
  if (!lockedOut) signedIn(user.account_id, ip);
  return { session: signed, awaitsCode: false, lockedOut };
}

async function refusalOf(count: () => Promise<void>): Promise<SignInRefusal | undefined> {
  try {
    await count();
    return undefined;
  } catch (error) {
    if (!isRookeryError(error) || error.code !== 'too_many_requests') throw error;
    return { status: 429, error: TOO_MANY, headers: error.extras.headers ?? {} };
  }
}

/** Returns the address of a page that leads back to `then`, a local path, unless that is too long. */
export const carrying = (page: string, then: string | undefined): string =>
  then === undefined || then.length > MAX_CARRIED
    ? page
    : `${page}?${new URLSearchParams({ return_to: then }).toString()}`;

/** Returns the address of the page that requests a link for a new password. */
export const passwordForgotten = (then: string | undefined): string => carrying(PASSWORD_FORGOTTEN, then);

/** Returns the address of the sign-up page; undefined while registrations are closed, or the settings cannot be read. */
export async function signUpFor(db: Db, then: string | undefined): Promise<string | undefined> {
  const registrations = await unlessHalted(
    async () => (await instanceSettings(db)).registrations,
    () => 'closed' as const,
  );
  return registrations === 'closed' ? undefined : carrying(SIGN_UP, then);
}

/** The page about strikes and appeals. */
export const STRIKES = '/settings/strikes';
export const SEE_WHY = { href: STRIKES, text: 'See why, and appeal' };
export const PASSWORD_FORGOTTEN = '/auth/password/new';
export const SIGN_UP = '/auth/sign_up';
/** The page that tells new users what is missing, and sends the mail again. */
export const SETUP = '/auth/setup';
/** Browsers and Node limit the size of a request line. */
const MAX_CARRIED = 2_500;

const WRONG = 'The e-mail address, the username or the password is wrong.';
export const TOO_MANY = 'Too many attempts. Please wait a while before you try again.';
/** The code of the second step came too late, or after something had changed. */
export const BEGIN_AGAIN = 'This took too long, or something was changed meanwhile. Please sign in again.';
