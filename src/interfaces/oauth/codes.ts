import { type Db, statement } from '#kernel/read.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** Seconds that an authorization code is valid. */
export const CODE_LIFETIME = 600;

/** The grant that the user consented to. */
export interface AuthorizationGrant {
  applicationId: string;
  accountId: string;
  redirectUri: string;
  scopes: readonly string[];
  /** PKCE, always S256 (RFC 7636). */
  codeChallenge?: string | undefined;
}

export interface StoredGrant extends AuthorizationGrant {
  expiresAt: Date;
  used: boolean;
}

/** The lock on the session makes a concurrent sign-out wait, which then finds the code. */
const CREATE = statement(
  'authorization_code_create',
  `with stale as (delete from durable.authorization_codes where expires_at < now() - interval '1 day'),
   session as (
     select account_id from durable.sessions
     where session_hash = $8 and account_id = $3 and expires_at > now() for share
   )
   insert into durable.authorization_codes
     (code_hash, application_id, account_id, redirect_uri, scopes, code_challenge, expires_at)
   select $1, $2, account_id, $4, $5, $6, now() + make_interval(secs => $7) from session returning 1`,
);
const FIND = statement<Row>(
  'authorization_code_find',
  `select application_id, account_id, redirect_uri, scopes, code_challenge, expires_at, used_at
   from durable.authorization_codes where code_hash = $1`,
);
const USE = statement(
  'authorization_code_use',
  `update durable.authorization_codes set used_at = now()
   where code_hash = $1 and used_at is null and expires_at > now() returning 1`,
);

/**
 * @param sessionId that of the browser in which the user consented @returns the code in clear text, which is
 * stored nowhere; undefined when the session has ended
 */
export async function createCode(
  db: Db,
  grant: AuthorizationGrant,
  sessionId: string,
): Promise<string | undefined> {
  const code = newSecret();
  const { applicationId, accountId, redirectUri, scopes, codeChallenge } = grant;
  const values = [applicationId, accountId, redirectUri, scopes.join(' '), codeChallenge ?? null];
  const made = await db.query(CREATE, [hashSecret(code), ...values, CODE_LIFETIME, hashSecret(sessionId)]);
  return made.length > 0 ? code : undefined;
}

export async function findCode(db: Db, code: string): Promise<StoredGrant | undefined> {
  const [row] = await db.query(FIND, [hashSecret(code)]);
  return (
    row && {
      applicationId: row.application_id,
      accountId: row.account_id,
      redirectUri: row.redirect_uri,
      scopes: row.scopes.split(' '),
      codeChallenge: row.code_challenge ?? undefined,
      expiresAt: new Date(row.expires_at),
      used: row.used_at !== null,
    }
  );
}

/** Returns true for the first use only, also among concurrent ones. */
export async function useCode(db: Db, code: string): Promise<boolean> {
  return (await db.query(USE, [hashSecret(code)])).length > 0;
}

interface Row {
  application_id: string;
  account_id: string;
  redirect_uri: string;
  scopes: string;
  code_challenge: string | null;
  expires_at: string;
  used_at: string | null;
}
