import OAuth2Server from 'oauth2-server';
import { twoFactorOf } from '../../../commands/accounts/index.ts';
import type { Viewer } from '../../kernel/context.ts';
import { RookeryError } from '../../kernel/errors.ts';
import { holds, DEFAULT_SCOPES, scopeNames, scopes as knownScopes } from '../../mastodon/scopes.ts';
import { allowsRedirect, authenticateClient, findClient, OUT_OF_BAND, type OAuthClient } from './clients.ts';
import { CODE_LIFETIME, createCode, findCode, useCode } from './codes.ts';
import type { OAuthDependencies } from './dependencies.ts';
import { ExplainedGrantError } from './errors.ts';
import type { IssuedToken } from './tokens.ts';
import type { Session } from './sessions.ts';
import { BEGIN_AGAIN, countAttempt } from './sign-in.ts';
import { findUser, signIn, whyNot } from './users.ts';

export type ServerDependencies = Pick<
  OAuthDependencies,
  'db' | 'credentials' | 'tokens' | 'passwordGrant' | 'limit' | 'context'
>;

const { InvalidGrantError, InvalidRequestError, Request, Response, UnsupportedGrantTypeError } = OAuth2Server;

/** The grants that the token endpoint knows. */
export const grantTypes = (passwordGrant: boolean): string[] => [
  'authorization_code',
  'client_credentials',
  ...(passwordGrant ? ['password'] : []),
];

/**
 * Scopes that a client asks for: known ones that it registered, or narrower ones; `read` when it asks for none. A client that
 * registered with an empty text may ask for all, as in Mastodon.
 */
export function permittedScopes(client: OAuthClient, asked: readonly string[] = []): string[] | undefined {
  const scopes = asked.length > 0 ? asked : DEFAULT_SCOPES;
  const registered = client.scopes.length === 0 ? scopeNames : client.scopes;
  const permitted = scopes.every((scope) => knownScopes.has(scope) && holds(registered, scope));
  return permitted ? [...new Set(scopes)] : undefined;
}

/** The library parses redirect URIs in a way that Node is giving up for `urn:ietf:wg:oauth:2.0:oob`. */
const STAND_IN = 'https://out-of-band.invalid/';
const fromStandIn = (uri: string): string => (uri === STAND_IN ? OUT_OF_BAND : uri);

export interface ConsentedRequest {
  client: OAuthClient;
  redirectUri: string;
  scopes: readonly string[];
  codeChallenge: string | undefined;
}

/** The consenting user, and their browser. */
export interface Consent {
  user: Viewer;
  session: Pick<Session, 'id'>;
}

/** The user agreed: gives out an authorization code. @throws OAuthError; RookeryError `gone` when the session has ended meanwhile */
export async function authorize(
  dependencies: ServerDependencies,
  { client, redirectUri, scopes, codeChallenge }: ConsentedRequest,
  { user, session }: Consent,
): Promise<string> {
  const body = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri === OUT_OF_BAND ? STAND_IN : redirectUri,
    scope: scopes.join(' '),
    ...(codeChallenge === undefined ? {} : { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
  };
  const code = await serverFor(dependencies).authorize(requestOf(body), new Response(), {
    authenticateHandler: { handle: () => ({ accountId: user.account_id, sessionId: session.id }) },
    // `state` is put into the redirect by our own code, which keeps the query of the redirect URI.
    allowEmptyState: true,
    authorizationCodeLifetime: CODE_LIFETIME,
  });
  return code.authorizationCode;
}

export interface TokenRequest {
  body: Record<string, string>;
  /** The Authorization header, for clients that authenticate by it. */
  authorization: string | undefined;
  ip: string;
}

/** Trades a code, a client's credentials or a password for an access token. @throws OAuthError, RookeryError */
export async function issueToken(
  dependencies: ServerDependencies,
  request: TokenRequest,
): Promise<IssuedToken> {
  const { grant_type: grantType } = request.body;
  if (grantType !== undefined && !grantTypes(dependencies.passwordGrant).includes(grantType)) {
    throw new UnsupportedGrantTypeError('This grant type is not supported');
  }
  if (request.authorization === undefined && !request.body['client_id']) {
    throw new InvalidRequestError('Missing required parameter: client_id.');
  }
  if (grantType === 'authorization_code') requireCode(request.body);
  // An empty scope is none, as in Mastodon.
  const { scope, ...rest } = request.body;
  const body = scope?.trim() ? request.body : rest;
  const response = new Response();
  await serverFor(dependencies, request).token(requestOf(body, request.authorization), response, {
    allowExtendedTokenAttributes: true,
    // Tokens do not expire; the library wants a figure.
    accessTokenLifetime: 1,
  });
  return response.body as IssuedToken;
}

/** Mastodon misses these before it looks at the client. @throws InvalidRequestError */
function requireCode(body: Record<string, string>): void {
  const missing = ['code', 'redirect_uri'].find((name) => !body[name]);
  if (missing !== undefined) throw new InvalidRequestError(`Missing required parameter: ${missing}.`);
}

/** The library always receives a form, whatever the client sent. */
const requestOf = (body: Record<string, string>, authorization?: string): OAuth2Server.Request =>
  new Request({
    method: 'POST',
    query: {},
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '1',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body,
  });

/** The library over our storage, for one request. */
function serverFor(dependencies: ServerDependencies, request?: TokenRequest): OAuth2Server {
  const { db, tokens, passwordGrant } = dependencies;
  const grants = grantTypes(passwordGrant);
  const asLibraryClient = (client: OAuthClient | undefined) => client && { ...client, grants };

  const model: OAuth2Server.AuthorizationCodeModel &
    OAuth2Server.ClientCredentialsModel &
    OAuth2Server.PasswordModel = {
    // The library asks without a secret when it authorizes, and when a client tries PKCE in its place.
    getClient: async (id, secret) =>
      asLibraryClient(request ? await authenticateClient(db, id, secret || '') : await findClient(db, id)),
    validateRedirectUri: (uri, client) =>
      Promise.resolve(allowsRedirect(client as unknown as OAuthClient, fromStandIn(uri))),
    validateScope: (_user, client, scope) =>
      Promise.resolve(permittedScopes(client as unknown as OAuthClient, scope)),

    async saveAuthorizationCode(code, client, user) {
      const grant = {
        applicationId: client.id,
        accountId: user['accountId'] as string,
        redirectUri: fromStandIn(code.redirectUri),
        scopes: code.scope ?? [],
        codeChallenge: code.codeChallenge,
      };
      const authorizationCode = await createCode(db, grant, user['sessionId'] as string);
      if (authorizationCode === undefined) throw new RookeryError('gone', BEGIN_AGAIN);
      return { ...code, authorizationCode, client, user };
    },
    async getAuthorizationCode(code) {
      const grant = await findCode(db, code);
      if (!grant) return undefined;
      // A code that comes a second time was stolen, or what came of it was (RFC 6749 section 4.1.2).
      if (grant.used) await tokens.revokeIssuedFor(code);
      // Compared here, since the library calls a difference an invalid request, not an invalid grant.
      if (grant.used || grant.redirectUri !== request?.body['redirect_uri']) return undefined;
      if (grant.codeChallenge !== undefined && !request.body['code_verifier']) {
        await useCode(db, code);
        throw new InvalidRequestError('Missing required parameter: code_verifier.');
      }
      return {
        authorizationCode: code,
        expiresAt: grant.expiresAt,
        redirectUri: grant.redirectUri,
        scope: [...grant.scopes],
        client: { id: grant.applicationId, grants },
        user: { accountId: grant.accountId },
        ...(grant.codeChallenge === undefined
          ? {}
          : { codeChallenge: grant.codeChallenge, codeChallengeMethod: 'S256' }),
      };
    },
    async revokeAuthorizationCode({ authorizationCode }) {
      const first = await useCode(db, authorizationCode);
      if (!first) await tokens.revokeIssuedFor(authorizationCode);
      return first;
    },

    getUserFromClient: () => Promise.resolve({}),
    getUser: (login, password) => signInOrExplain(dependencies, request, login, password),

    async saveToken(token, client, user) {
      const accountId = user['accountId'] as string | undefined;
      if (accountId !== undefined) await requireActiveUser(dependencies, accountId);
      const wanted = {
        applicationId: client.id,
        ...(accountId === undefined ? {} : { accountId }),
        scopes: token.scope ?? [],
      };
      const code = token['authorizationCode'] as string | undefined;
      const issued = await (code === undefined
        ? tokens.issue(wanted)
        : tokens.issueForCode({ ...wanted, code }));
      if (!issued) throw new InvalidGrantError('The authorization code was used twice');
      const { access_token: accessToken, created_at } = issued;
      return { accessToken, scope: [...wanted.scopes], client, user, created_at };
    },
    // The API authenticates by src/interfaces/oauth/authenticate.ts.
    getAccessToken: () => Promise.resolve(undefined),
  };
  return new OAuth2Server({ model });
}

async function signInOrExplain(
  { db, credentials, limit, context }: ServerDependencies,
  request: TokenRequest | undefined,
  login: string,
  password: string,
): Promise<OAuth2Server.User | undefined> {
  const ip = request?.ip ?? '';
  const found = await countAttempt({ db, limit }, { ip, login });
  const user = await signIn(credentials, found, password);
  if (!user) return undefined;
  if ((await twoFactorOf(context(ip, user), user.account_id)).on) throw new ExplainedGrantError(NEEDS_CODE);
  return { accountId: user.account_id };
}

/** As in Mastodon, for an app has no place to ask for a code. */
const NEEDS_CODE =
  'This account uses two-factor sign-in: a password does not suffice, please use the authorization code grant.';

async function requireActiveUser({ db }: ServerDependencies, accountId: string): Promise<void> {
  const user = await findUser(db, accountId);
  const reason = user ? whyNot(user) : 'This user does not exist any more.';
  if (reason !== undefined) throw new ExplainedGrantError(reason);
}
