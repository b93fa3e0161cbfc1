import OAuth2Server from 'oauth2-server';
import type { Viewer } from '#kernel/context.ts';
import { type OAuthClient, OUT_OF_BAND } from './clients.ts';
import { CODE_LIFETIME } from './codes.ts';
import { grantTypes, OAuthModel, type ServerDependencies, STAND_IN, type TokenRequest } from './model.ts';
import type { Session } from './sessions.ts';
import type { IssuedToken } from './tokens.ts';

const { InvalidRequestError, Request, Response, UnsupportedGrantTypeError } = OAuth2Server;

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

/**
 * Issues an authorization code after the user's consent. @throws OAuthError; RookeryError `gone` when the
 * session has ended in the meantime
 */
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
    // Our code adds `state` to the redirect, because it keeps the query of the redirect URI.
    allowEmptyState: true,
    authorizationCodeLifetime: CODE_LIFETIME,
  });
  return code.authorizationCode;
}

/**
 * Exchanges a code, a client's credentials or a password for an access token. @throws OAuthError,
 * RookeryError
 */
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
  // An empty scope counts as none, as in Mastodon.
  const { scope, ...rest } = request.body;
  const body = scope?.trim() ? request.body : rest;
  const response = new Response();
  await serverFor(dependencies, request).token(requestOf(body, request.authorization), response, {
    allowExtendedTokenAttributes: true,
    // Tokens do not expire; the library requires a lifetime.
    accessTokenLifetime: 1,
  });
  return response.body as IssuedToken;
}

/** Mastodon reports these as missing before it checks the client. @throws InvalidRequestError */
function requireCode(body: Record<string, string>): void {
  const missing = ['code', 'redirect_uri'].find((name) => !body[name]);
  if (missing !== undefined) throw new InvalidRequestError(`Missing required parameter: ${missing}.`);
}

/** The library always gets a form, in whatever format the client sent it. */
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

const serverFor = (dependencies: ServerDependencies, request?: TokenRequest): OAuth2Server =>
  new OAuth2Server({ model: new OAuthModel(dependencies, request) });
