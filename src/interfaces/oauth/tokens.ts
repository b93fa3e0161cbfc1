import { type Db, statement } from '#kernel/read.ts';
import type { Tokens } from '#kernel/services/credentials.ts';
import { AUTH_CHANNEL, ofAccount, ofToken } from './auth-changes.ts';
import type { Registrations } from './registrations.ts';
import { hashSecret, newSecret } from './secrets.ts';
import type { TokenDigests } from './token-digest.ts';

/** The operations of the token endpoint, beyond those that commands use. */
export interface TokenStore extends Tokens {
  /**
   * Issues the token for an authorization code; undefined when the code was used a second time in the
   * meantime (RFC 6749 section 4.1.2).
   */
  issueForCode(token: NewToken & { code: string }): Promise<IssuedToken | undefined>;
  /** Revokes one token, unless it is another application's. A repeat has no effect. */
  revoke(token: string, applicationId: string): Promise<'revoked' | 'unknown' | 'foreign'>;
  /** Revokes the tokens issued for an authorization code that was used again. */
  revokeIssuedFor(code: string): Promise<void>;
}

export type NewToken = Parameters<Tokens['issue']>[0];
export type IssuedToken = Awaited<ReturnType<Tokens['issue']>>;

const ISSUE = statement<{ created_at: string }>(
  'token_issue',
  `insert into durable.access_tokens (token_hash, application_id, account_id, scopes, grant_digest)
   values ($1, $2, $3, $4, $5) returning extract(epoch from created_at)::bigint as created_at`,
);
/** The lock on the code makes a second use wait, which then finds the token and revokes it. */
const ISSUE_FOR_CODE = statement<{ created_at: string }>(
  'token_issue_for_code',
  `with code as (
     select code_hash from durable.authorization_codes where code_hash = $6 and reused_at is null for update
   )
   insert into durable.access_tokens (token_hash, application_id, account_id, scopes, grant_digest, code_hash)
   select $1, $2, $3, $4, $5, code_hash from code returning extract(epoch from created_at)::bigint as created_at`,
);
const MARK_REUSED = statement(
  'authorization_code_reused',
  'update durable.authorization_codes set reused_at = coalesce(reused_at, now()) where code_hash = $1',
);
const REVOKE_OF_CODE = statement<{ change: string }>(
  'token_revoke_of_code',
  revoking('code_hash = $1 and revoked_at is null'),
);
const REVOKE = statement<{ change: string }>(
  'token_revoke',
  revoking('token_hash = $1 and application_id = $2'),
);
const REVOKE_OF_APPLICATION = statement<{ change: string }>(
  'token_revoke_of_application',
  revoking('account_id = $1 and application_id = $2 and revoked_at is null'),
);
const END_CODES_OF_APPLICATION = statement(
  'authorization_codes_end',
  'delete from durable.authorization_codes where account_id = $1 and application_id = $2',
);
const EXISTS = statement('token_exists', 'select 1 from durable.access_tokens where token_hash = $1');
/**
 * The maximum number of an application's own tokens, newest first: each call of the client credentials grant
 * issues one.
 */
const MAX_OWN_TOKENS = 20;
const FORGET_OWN = statement<{ change: string }>(
  'token_forget_own',
  revokingBy(
    `delete from durable.access_tokens where id in (
       select id from durable.access_tokens where application_id = $1 and account_id is null
       order by created_at desc, id desc offset ${MAX_OWN_TOKENS}
     )`,
  ),
);
const END_STEPS = statement('sign_in_steps_end', 'delete from durable.sign_in_steps where account_id = $1');
const END_SESSIONS = statement('sessions_end', 'delete from durable.sessions where account_id = $1');
const END_CODES = statement(
  'authorization_codes_end_all',
  'delete from durable.authorization_codes where account_id = $1',
);
const REVOKE_ALL = statement(
  'token_revoke_all',
  `with revoked as (
     update durable.access_tokens set revoked_at = now() where account_id = $1 and revoked_at is null
   )
   select pg_notify('${AUTH_CHANNEL}', $2)`,
);

/**
 * Access tokens in Postgres; they do not expire (https://docs.joinmastodon.org/api/oauth-tokens/). Other
 * processes learn of revocations by a notification, this one by `changed` before the call returns.
 */
export function createTokens(
  db: Db,
  changed: (change: string) => void,
  { register, use }: Registrations,
  digests: TokenDigests,
): TokenStore {
  const valuesOf = (secret: string, { applicationId, accountId, scopes: names }: NewToken): unknown[] => {
    const [tokenHash, scopes] = [hashSecret(secret), names.join(' ')];
    const token = { tokenHash, applicationId, accountId: accountId ?? null, scopes };
    return [tokenHash, applicationId, token.accountId, scopes, digests.of(token)];
  };
  return {
    registerApplication: register,
    async issue(token) {
      await use(token.applicationId);
      const secret = newSecret();
      const [row] = await db.query(ISSUE, valuesOf(secret, token));
      if (token.accountId === undefined) {
        const forgotten = await db.query(FORGET_OWN, [token.applicationId]);
        for (const { change } of forgotten) changed(change);
      }
      return issued(secret, token, Number(row?.created_at));
    },
    async issueForCode(token) {
      await use(token.applicationId);
      const secret = newSecret();
      const values = [...valuesOf(secret, token), hashSecret(token.code)];
      const [row] = await db.query(ISSUE_FOR_CODE, values);
      return row && issued(secret, token, Number(row.created_at));
    },
    async revoke(token, applicationId) {
      const tokenHash = hashSecret(token);
      const rows = await db.query(REVOKE, [tokenHash, applicationId]);
      if (rows.length === 0) return (await db.query(EXISTS, [tokenHash])).length > 0 ? 'foreign' : 'unknown';
      changed(ofToken(tokenHash.toString('base64')));
      return 'revoked';
    },
    async revokeIssuedFor(code) {
      const codeHash = hashSecret(code);
      await db.query(MARK_REUSED, [codeHash]);
      const rows = await db.query(REVOKE_OF_CODE, [codeHash]);
      for (const { change } of rows) changed(change);
    },
    async revokeAllOf(accountId) {
      // Sources first: a code that is being exchanged has its token when the last statement runs.
      for (const end of [END_STEPS, END_SESSIONS, END_CODES]) await db.query(end, [accountId]);
      await db.query(REVOKE_ALL, [accountId, ofAccount(accountId)]);
      changed(ofAccount(accountId));
    },
    async revokeApplication(accountId, applicationId) {
      // In this order for the same reason.
      await db.query(END_CODES_OF_APPLICATION, [accountId, applicationId]);
      const rows = await db.query(REVOKE_OF_APPLICATION, [accountId, applicationId]);
      for (const { change } of rows) changed(change);
    },
    forget: (accountId) => changed(ofAccount(accountId)),
  };
}

/** Revokes tokens and notifies every process, in one statement. */
function revoking(condition: string): string {
  return revokingBy(
    `update durable.access_tokens set revoked_at = coalesce(revoked_at, now()) where ${condition}`,
  );
}

function revokingBy(statement: string): string {
  // In the form of `ofToken`.
  const change = `'token:' || encode(token_hash, 'base64')`;
  return `with revoked as (${statement} returning ${change} as change)
    select change, pg_notify('${AUTH_CHANNEL}', change) from revoked`;
}

const issued = (secret: string, { scopes }: NewToken, createdAt: number): IssuedToken => ({
  access_token: secret,
  token_type: 'Bearer',
  scope: scopes.join(' '),
  created_at: createdAt,
});
