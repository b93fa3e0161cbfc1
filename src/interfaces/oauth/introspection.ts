import type { Reply } from '#kernel/endpoint.ts';
import { badToken, bearerChallenge } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import { authenticateClient } from './clients.ts';
import { hashSecret } from './secrets.ts';
import { grantedToken, type TokenDigests } from './token-digest.ts';

const FIND = statement<DescribedToken>(
  'token_described',
  `select token_hash, application_id, account_id, scopes, grant_digest, revoked_at is not null as revoked,
     extract(epoch from created_at)::bigint as created_at
   from durable.access_tokens where token_hash = $1`,
);

interface DescribedToken {
  token_hash: Buffer;
  grant_digest: Buffer | null;
  application_id: string;
  account_id: string | null;
  scopes: string;
  revoked: boolean;
  /** Seconds since 1970. */
  created_at: string;
}

/** The database, and the digests of tokens. */
export interface TokenSource {
  db: Db;
  tokenDigests: TokenDigests;
}

/** Returns undefined for an unknown token, and for one that was changed in the database. */
async function findToken(
  { db, tokenDigests }: TokenSource,
  token: string,
): Promise<DescribedToken | undefined> {
  const [row] = await db.query(FIND, [hashSecret(token)]);
  return row && tokenDigests.holds(grantedToken(row), row.grant_digest) ? row : undefined;
}

/** Describes the token of a request, as Doorkeeper does. @throws RookeryError `unauthorized` */
export async function describeOwnToken(source: TokenSource, bearer: string | undefined): Promise<Reply> {
  const token = bearer === undefined ? undefined : await findToken(source, bearer);
  if (!token || token.revoked) throw badToken();
  const described = {
    scope: token.scopes.split(' '),
    expires_in: null,
    application: { uid: token.application_id },
    created_at: Number(token.created_at),
  };
  // Mastodon returns a number here, and a double cannot represent the ids of Rookery exactly.
  return { text: `{"resource_owner_id":${token.account_id ?? 'null'},${JSON.stringify(described).slice(1)}` };
}

/** A request for introspection. */
export interface Introspection {
  token: string | undefined;
  clientId: string;
  clientSecret: string;
  bearer: string | undefined;
}

/**
 * Returns whether a token is valid (RFC 7662), to its own application only, which sends its secret or another
 * of its tokens. The errors are Doorkeeper's.
 */
export async function introspect(source: TokenSource, asked: Introspection): Promise<Reply> {
  const token = asked.token ? await findToken(source, asked.token) : undefined;
  if (asked.clientId !== '') {
    const client = await authenticateClient(source.db, asked.clientId, asked.clientSecret);
    if (!client) return refused(401, 'invalid_client', UNKNOWN_CLIENT);
    return described(token?.application_id === client.id ? token : undefined);
  }
  if (asked.bearer === undefined) return refused(400, 'invalid_request', UNAUTHORIZED);
  const own = await findToken(source, asked.bearer);
  const allowed =
    own && !own.revoked && asked.bearer !== asked.token && own.application_id === token?.application_id;
  return allowed ? described(token) : refused(401, 'invalid_token', 'The access token is invalid');
}

const UNKNOWN_CLIENT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.';
const UNAUTHORIZED =
  'Request need to be authorized. Required parameter for authorizing request is missing or invalid.';

const described = (token: DescribedToken | undefined): Reply => ({
  json:
    !token || token.revoked
      ? { active: false }
      : {
          active: true,
          scope: token.scopes,
          client_id: token.application_id,
          token_type: 'Bearer',
          exp: 0,
          iat: Number(token.created_at),
        },
});

const refused = (status: number, error: string, description: string): Reply => ({
  status,
  json: { error, error_description: description },
  headers: bearerChallenge(error, description),
});
