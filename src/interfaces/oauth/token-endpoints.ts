import type { Request, Response } from 'express';
import OAuth2Server from 'oauth2-server';
import type { Reply } from '#kernel/endpoint.ts';
import { badToken, forbidden, userNeeded } from '#kernel/errors.ts';
import { holds } from '#mastodon/scopes.ts';
import { bearerOf } from '../http/bearer.ts';
import { parseBody, parseQuery } from '../http/bodies.ts';
import { errorReply } from '../http/errors.ts';
import { sendReply } from '../http/reply.ts';
import { authenticateClient } from './clients.ts';
import type { OAuthDependencies } from './dependencies.ts';
import { oauthErrorReply } from './errors.ts';
import { describeOwnToken, introspect } from './introspection.ts';
import { issueToken } from './server.ts';
import { findUserInfo } from './userinfo.ts';
import { whyNot } from './users.ts';

const MAX_BYTES = 50_000;
const MAX_VALUE_LENGTH = 10_000;

/** POST /oauth/token: https://docs.joinmastodon.org/methods/oauth/#token */
export const tokenEndpoint = (dependencies: OAuthDependencies) =>
  answering(dependencies, async (req) => {
    const token = await issueToken(dependencies, {
      body: await fieldsOf(req),
      authorization: req.headers.authorization,
      ip: dependencies.clientAddress(req),
    });
    return { json: token };
  });

/**
 * POST /oauth/revoke: https://docs.joinmastodon.org/methods/oauth/#revoke. An unknown token counts as revoked
 * (RFC 7009 section 2.2).
 */
export const revokeEndpoint = (dependencies: OAuthDependencies) =>
  answering(dependencies, async (req) => {
    const body = await fieldsOf(req);
    const [id, secret] = clientCredentials(req, body);
    const client = await authenticateClient(dependencies.db, id, secret);
    const { token } = body;
    if (!client || !token || (await dependencies.tokens.revoke(token, client.id)) === 'foreign') {
      const error = 'unauthorized_client';
      return {
        status: 403,
        json: { error, error_description: 'You are not authorized to revoke this token' },
      };
    }
    return { json: {} };
  });

/** POST /oauth/introspect: RFC 7662, with Doorkeeper's replies. */
export const introspectEndpoint = (dependencies: OAuthDependencies) =>
  answering(dependencies, async (req) => {
    const body = await fieldsOf(req);
    const [clientId, clientSecret] = clientCredentials(req, body);
    const bearer = bearerOf(req, {});
    return introspect(dependencies, { token: body['token'], clientId, clientSecret, bearer });
  });

/** GET /oauth/token/info: Doorkeeper's description of the request's token. */
export const tokenInfoEndpoint = (dependencies: OAuthDependencies) => (req: Request, res: Response) =>
  send(req, res, dependencies, tokenInfoError, () =>
    describeOwnToken(dependencies, bearerOf(req, parseQuery(req.url.slice(req.path.length)))),
  );

function tokenInfoError(error: unknown): ReturnType<typeof errorReply> {
  const reply = errorReply(error);
  if (reply.status !== 401) return reply;
  return { ...reply, body: { error: 'invalid_token', error_description: reply.body.error } };
}

/** GET and POST /oauth/userinfo. Errors have the form of the API, as in Mastodon. */
export const userInfoEndpoint = (dependencies: OAuthDependencies) => (req: Request, res: Response) =>
  send(
    req,
    res,
    dependencies,
    (error) => errorReply(error),
    async () => {
      const bearer = /^Bearer +(\S{1,512})$/i.exec(req.headers.authorization ?? '')?.[1];
      const caller = bearer === undefined ? undefined : await dependencies.authenticate(bearer);
      if (!caller) throw badToken();
      const { token, viewer } = caller;
      if (!viewer) throw userNeeded();
      const reason = whyNot(viewer);
      if (reason !== undefined) throw forbidden(reason);
      if (!holds(token.scopes, 'profile')) throw forbidden('This action is outside the authorized scopes');
      const info = await findUserInfo(dependencies.db, dependencies.instance, viewer.account_id);
      if (!info) throw badToken();
      return { json: info };
    },
  );

const answering =
  (dependencies: OAuthDependencies, work: (req: Request) => Promise<Reply>) =>
  (req: Request, res: Response): Promise<void> =>
    send(req, res, dependencies, oauthErrorReply, () => work(req));

async function send(
  req: Request,
  res: Response,
  { onError }: OAuthDependencies,
  describe: (error: unknown) => { status: number; body: unknown; headers: Record<string, string> },
  work: () => Promise<Reply>,
): Promise<void> {
  let reply: Reply;
  try {
    reply = await work();
  } catch (error) {
    const { status, body, headers } = describe(error);
    if (status === 500) onError(error);
    reply = { json: body, status, headers };
  }
  sendReply(req, res, reply, { 'Cache-Control': 'no-store', Pragma: 'no-cache' });
}

/**
 * Returns the text fields of a form or of JSON, and of the query, as in Mastodon; the body wins. @throws
 * OAuthError, RookeryError
 */
async function fieldsOf(req: Request): Promise<Record<string, string>> {
  const { fields } = await parseBody(req, { maxBytes: MAX_BYTES });
  const query = parseQuery(req.url.slice(req.path.length));
  const texts = Object.entries({ ...query, ...fields }).filter(([, value]) => value !== null);
  for (const [name, value] of texts) {
    if (typeof value !== 'string' || value.length > MAX_VALUE_LENGTH) {
      throw new OAuth2Server.InvalidRequestError(`Invalid parameter: ${name}`);
    }
  }
  return Object.fromEntries(texts) as Record<string, string>;
}

/** RFC 6749 section 2.3.1: HTTP Basic, or two fields of the body. */
function clientCredentials(req: Request, body: Record<string, string>): [id: string, secret: string] {
  const basic = /^Basic +([A-Za-z0-9+/=]{1,2000})$/i.exec(req.headers.authorization ?? '')?.[1];
  if (basic === undefined) return [body['client_id'] ?? '', body['client_secret'] ?? ''];
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
  return [id, secret];
}
