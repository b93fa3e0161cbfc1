import OAuth2Server from 'oauth2-server';
import { twoFactorOf } from '#commands/accounts/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { DEFAULT_SCOPES, holds, scopeNames, scopes as knownScopes } from '#mastodon/scopes.ts';
import { countAttempt } from './attempts.ts';
import { allowsRedirect, authenticateClient, findClient, type OAuthClient, OUT_OF_BAND } from './clients.ts';
import { createCode, findCode, useCode } from './codes.ts';
import type { OAuthDependencies } from './dependencies.ts';
import { ExplainedGrantError } from './errors.ts';
import { BEGIN_AGAIN } from './sign-in.ts';
import { signIn, whyNot } from './users.ts';

export type ServerDependencies = Pick<
  OAuthDependencies,
  'db' | 'users' | 'credentials' | 'tokens' | 'passwordGrant' | 'limit' | 'sessions' | 'context'
>;

const { InvalidGrantError, InvalidRequestError } = OAuth2Server;

type LibraryModel = OAuth2Server.AuthorizationCodeModel &
  OAuth2Server.ClientCredentialsModel &
  OAuth2Server.PasswordModel;

/** Returns the grants that the token endpoint supports. */
export const grantTypes = (passwordGrant: boolean): string[] => [
  'authorization_code',
  'client_credentials',
  ...(passwordGrant ? ['password'] : []),
];

/**
 * Returns the scopes that a client requests: known ones that it registered, or narrower ones; `read` when it
 * requests none. A client that registered with an empty text may request all, as in Mastodon.
 */
export function permittedScopes(client: OAuthClient, asked: readonly string[] = []): string[] | undefined {
  const scopes = asked.length > 0 ? asked : DEFAULT_SCOPES;
  const registered = client.scopes.length === 0 ? scopeNames : client.scopes;
  const permitted = scopes.every((scope) => knownScopes.has(scope) && holds(registered, scope));
  return permitted ? [...new Set(scopes)] : undefined;
}

/** The library parses redirect URIs in a way that Node deprecates for `urn:ietf:wg:oauth:2.0:oob`. */
export const STAND_IN = 'https://out-of-band.invalid/';
const fromStandIn = (uri: string): string => (uri === STAND_IN ? OUT_OF_BAND : uri);

export interface TokenRequest {
  body: Record<string, string>;
  /** The Authorization header, for clients that authenticate by it. */
  authorization: string | undefined;
  ip: string;
}

/** Our storage in the form that the library needs, for one request; without one, the library authorizes. */
export class OAuthModel implements LibraryModel {
  readonly #dependencies: ServerDependencies;
  readonly #request: TokenRequest | undefined;
  readonly #grants: string[];

  constructor(dependencies: ServerDependencies, request: TokenRequest | undefined) {
    this.#dependencies = dependencies;
    this.#request = request;
    this.#grants = grantTypes(dependencies.passwordGrant);
  }

  getClient: LibraryModel['getClient'] = async (id, secret) => {
    const { db } = this.#dependencies;
    // The library looks clients up without a secret when it authorizes, and when a client uses PKCE instead.
    const client = await (this.#request ? authenticateClient(db, id, secret || '') : findClient(db, id));
    return client && { ...client, grants: this.#grants };
  };

  validateRedirectUri = (uri: string, client: OAuth2Server.Client): Promise<boolean> =>
    Promise.resolve(allowsRedirect(client as unknown as OAuthClient, fromStandIn(uri)));

  validateScope = (
    _user: OAuth2Server.User,
    client: OAuth2Server.Client,
    scope?: string[],
  ): Promise<string[] | undefined> =>
    Promise.resolve(permittedScopes(client as unknown as OAuthClient, scope));

  saveAuthorizationCode: LibraryModel['saveAuthorizationCode'] = async (code, client, user) => {
    const grant = {
      applicationId: client.id,
      accountId: user['accountId'] as string,
      redirectUri: fromStandIn(code.redirectUri),
      scopes: code.scope ?? [],
      codeChallenge: code.codeChallenge,
    };
    const authorizationCode = await createCode(this.#dependencies.db, grant, user['sessionId'] as string);
    if (authorizationCode === undefined) throw new RookeryError('gone', BEGIN_AGAIN);
    return { ...code, authorizationCode, client, user };
  };

  getAuthorizationCode: LibraryModel['getAuthorizationCode'] = async (code) => {
    const { db, tokens } = this.#dependencies;
    const { body } = this.#request ?? {};
    const grant = await findCode(db, code);
    if (!grant) return undefined;
    // A code that is used again was stolen, or the token for it was (RFC 6749 section 4.1.2).
    if (grant.used) await tokens.revokeIssuedFor(code);
    // Compared here, because the library reports a difference as an invalid request, not as an invalid grant.
    if (grant.used || grant.redirectUri !== body?.['redirect_uri']) return undefined;
    if (grant.codeChallenge !== undefined && !body['code_verifier']) {
      await useCode(db, code);
      throw new InvalidRequestError('Missing required parameter: code_verifier.');
    }
    return {
      authorizationCode: code,
      expiresAt: grant.expiresAt,
      redirectUri: grant.redirectUri,
      scope: [...grant.scopes],
      client: { id: grant.applicationId, grants: this.#grants },
      user: { accountId: grant.accountId },
      ...(grant.codeChallenge === undefined
        ? {}
        : { codeChallenge: grant.codeChallenge, codeChallengeMethod: 'S256' }),
    };
  };

  revokeAuthorizationCode: LibraryModel['revokeAuthorizationCode'] = async ({ authorizationCode }) => {
    const { db, tokens } = this.#dependencies;
    const isFirstUse = await useCode(db, authorizationCode);
    if (!isFirstUse) await tokens.revokeIssuedFor(authorizationCode);
    return isFirstUse;
  };

  getUserFromClient: LibraryModel['getUserFromClient'] = () => Promise.resolve({});

  getUser: LibraryModel['getUser'] = async (login, password) => {
    const { credentials, context } = this.#dependencies;
    const ip = this.#request?.ip ?? '';
    const found = await countAttempt(this.#dependencies, { ip, login });
    const user = await signIn(credentials, found, password);
    if (!user) return undefined;
    const { on } = await twoFactorOf(context(ip, user), user.account_id);
    if (on) throw new ExplainedGrantError(NEEDS_CODE);
    return { accountId: user.account_id };
  };

  saveToken: LibraryModel['saveToken'] = async (token, client, user) => {
    const { tokens } = this.#dependencies;
    const accountId = user['accountId'] as string | undefined;
    if (accountId !== undefined) await requireActiveUser(this.#dependencies, accountId);
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
  };

  /** The API authenticates by `authenticate.ts`. */
  getAccessToken: LibraryModel['getAccessToken'] = () => Promise.resolve(undefined);
}

/** As in Mastodon, because an app cannot ask for a code. */
const NEEDS_CODE =
  'This account uses two-factor sign-in: a password does not suffice, please use the authorization code grant.';

async function requireActiveUser({ users }: ServerDependencies, accountId: string): Promise<void> {
  const user = await users.byId(accountId);
  const reason = user ? whyNot(user) : 'This user does not exist any more.';
  if (reason !== undefined) throw new ExplainedGrantError(reason);
}
