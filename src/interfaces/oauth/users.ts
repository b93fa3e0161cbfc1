import { userNamedInLog, userOfLog } from '#commands/accounts/index.ts';
import type { CommandContext, Viewer } from '#kernel/context.ts';
import { type Db, statement } from '#kernel/read.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';
import type { Credentials } from '#kernel/services/credentials.ts';

/** The read models of users, which nearly every request reads. */
export const OF_VIEWERS: readonly string[] = ['accounts', 'users'];

/** Finds the users who sign in. */
export interface Users {
  byId(accountId: string): Promise<Viewer | undefined>;
  /** Returns the user with this e-mail address or name. */
  named(login: string): Promise<Viewer | undefined>;
}

/** The columns of a `Viewer`, of `users u` and `accounts a`. */
export const VIEWER_COLUMNS = `u.account_id, a.username, u.role, u.confirmed, u.approved, u.disabled, u.suspended,
     u.moved`;
const VIEWERS = `select ${VIEWER_COLUMNS} from users u join accounts a on a.id = u.account_id`;
const BY_ID = statement<Viewer>('oauth_user', `${VIEWERS} where u.account_id = $1`);
const BY_EMAIL = statement<Viewer>(
  'oauth_user_by_email',
  `${VIEWERS} where lower(u.email) = lower($1) order by u.account_id limit 1`,
);
const BY_USERNAME = statement<Viewer>('oauth_user_by_username', `${VIEWERS} where a.acct_key = lower($1)`);

export async function findUser(db: Db, accountId: string): Promise<Viewer | undefined> {
  const [user] = await db.query(BY_ID, [accountId]);
  return user;
}

/**
 * Finds users by the read models, and in the log while these are halted: staff can sign in then. The log knows whom the
 * read models do not know yet.
 */
export const createUsers = (db: Db, context: () => CommandContext): Users => ({
  byId: (accountId) =>
    unlessHalted(
      () => findUser(db, accountId),
      () => userOfLog(context(), accountId),
    ),
  named: (login) =>
    unlessHalted(
      () => userNamed(db, login),
      () => userNamedInLog(context(), login),
    ),
});

/** Returns the user with this e-mail address or name. */
export async function userNamed(db: Db, login: string): Promise<Viewer | undefined> {
  const [user] = await db.query(login.includes('@') ? BY_EMAIL : BY_USERNAME, [login.trim()]);
  return user;
}

/** Returns the user if the password is correct. An unknown user takes as long as a known one. */
export async function signIn(
  credentials: Credentials,
  user: Viewer | undefined,
  password: string,
): Promise<Viewer | undefined> {
  const verified = await credentials.verifyPassword(user?.account_id, password);
  return verified ? user : undefined;
}

/** Returns the reason why a user gets no token, for that user; undefined for none. */
export function whyNot(user: Viewer): string | undefined {
  if (user.suspended) return 'Your account has been suspended.';
  if (user.disabled) return 'Your login has been disabled by the moderators of this server.';
  if (!user.confirmed) {
    return 'Please confirm your e-mail address first: follow the link in the message that we sent you.';
  }
  if (!user.approved)
    return 'Your registration is still being reviewed. You will get an e-mail when it is done.';
  return undefined;
}

/** A suspended or disabled user may see the reason, and appeal: on the pages for that only. */
export const isLockedOut = ({ suspended, disabled }: Viewer): boolean => suspended || disabled;

/** Returns true if only the confirmation of the address or the approval by staff is missing. */
export const isNewcomer = (user: Viewer): boolean => !isLockedOut(user) && !(user.confirmed && user.approved);

/** Returns true if a new user can complete the sign-up without staff. */
export const awaitsConfirmation = (user: Viewer): boolean => isNewcomer(user) && !user.confirmed;
