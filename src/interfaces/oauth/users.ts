import type { Viewer } from '../../kernel/context.ts';
import { statement, type Db } from '../../kernel/read.ts';
import type { Credentials } from '../../kernel/services/credentials.ts';

const COLUMNS = `u.account_id, a.username, u.role, u.confirmed, u.approved, u.disabled, u.suspended,
     u.moved
   from users u join accounts a on a.id = u.account_id`;
const BY_ID = statement('oauth_user', `select ${COLUMNS} where u.account_id = $1`);
const BY_EMAIL = statement(
  'oauth_user_by_email',
  `select ${COLUMNS} where lower(u.email) = lower($1) order by u.account_id limit 1`,
);
const BY_USERNAME = statement('oauth_user_by_username', `select ${COLUMNS} where a.acct_key = lower($1)`);

export async function findUser(db: Db, accountId: string): Promise<Viewer | undefined> {
  const [user] = await db.query<Viewer>(BY_ID, [accountId]);
  return user;
}

/** Returns the user with this e-mail address or name. */
export async function userNamed(db: Db, login: string): Promise<Viewer | undefined> {
  const [user] = await db.query<Viewer>(login.includes('@') ? BY_EMAIL : BY_USERNAME, [login.trim()]);
  return user;
}

/** Returns the user if the password is right. An unknown user takes as long as a known one. */
export async function signIn(
  credentials: Credentials,
  user: Viewer | undefined,
  password: string,
): Promise<Viewer | undefined> {
  const verified = await credentials.verifyPassword(user?.account_id, password);
  return verified ? user : undefined;
}

/** Why a user gets no token, in words for that user; undefined when nothing speaks against it. */
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

/** Staff keep this user out, who may see why, and appeal: on the pages for that, and nowhere else. */
export const isShutOut = ({ suspended, disabled }: Viewer): boolean => suspended || disabled;

/** All that keeps this user out is that the address is not confirmed, or that staff has not looked yet. */
export const isNewcomer = (user: Viewer): boolean => !isShutOut(user) && !(user.confirmed && user.approved);

/** Tells whether a newcomer can complete the sign-up without staff. */
export const awaitsConfirmation = (user: Viewer): boolean => isNewcomer(user) && !user.confirmed;
