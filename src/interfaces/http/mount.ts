import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { AccessToken, Viewer } from '#kernel/context.ts';
import type { Endpoint, RateLimit } from '#kernel/endpoint.ts';
import { RookeryError } from '#kernel/errors.ts';
import { memoizeAsync } from '#kernel/memoize-async.ts';
import { bearerInBody, bearerOf } from './bearer.ts';
import type { BodyLimits, ParsedBody } from './bodies.ts';
import { discardUploads, NOTHING, parseBody, parseQuery } from './bodies.ts';
import { authenticate, type CallerDependencies } from './caller.ts';
import { sendEvents } from './event-reply.ts';
import { type Client, handleCall, type HandlingDependencies, paramsOf } from './handle.ts';
import { methodOf, routeOf } from './method-override.ts';
import { wordedFor } from './missing.ts';
import { authorized, refusalOf } from './refusal.ts';
import { sendFailure, sendPreflight, sendReply } from './reply.ts';
import { pathOf, searchOf, withSingleSlashes } from './request-url.ts';
import { type Route, Routes } from './routes.ts';
import { sendText } from './text-reply.ts';

export interface MountDependencies extends HandlingDependencies, CallerDependencies {
  /** Returns headers that tell the client the remaining requests. @throws RookeryError `too_many_requests` */
  limit: (kind: RateLimit, client: Client) => Promise<Record<string, string>>;
  clientAddress: (req: IncomingMessage) => string;
  /** The origin of links between the pages of a list; the default is the instance's own. */
  linkOrigin?: (req: IncomingMessage) => string;
  /** Called for each request of an active user. */
  seen: (viewer: Viewer, ip: string) => void;
  /** Called once per request, after the reply. `seconds` is how long it took. */
  observe: (request: {
    endpoint: Endpoint;
    status: number;
    seconds: number;
    error?: unknown;
    id: string;
  }) => void;
  /** Ends a reply whose error reply failed as well. */
  fail: (error: unknown, res: ServerResponse) => void;
}

/**
 * Serves endpoints, and enforces all that they declare. Express serves everything else. @returns the listener for both
 */
export function mount(
  app: Express,
  endpoints: readonly Endpoint[],
  dependencies: MountDependencies,
): RequestListener {
  const routes = new Routes([...endpoints, ...endpoints.flatMap(byOtherMethod)]);
  return (req, res) => {
    req.url = withSingleSlashes(req.url ?? '');
    if (IN_API.test(req.url)) req.method = methodOf(req);
    const path = pathOf(req.url);
    const route = routeOf(routes, req, path);
    if (route) {
      serve(route, req, res, dependencies).catch((error: unknown) => dependencies.fail(error, res));
    } else if (req.method === 'OPTIONS' && routes.has(path)) {
      sendPreflight(res);
    } else {
      app(req, res);
    }
  };
}

const IN_API = /^\/api\//i;

/**
 * Serves PUT as PATCH too, and the reverse, like Rails: apps rely on it where the documentation names the
 * other method. A declared endpoint has precedence.
 */
function byOtherMethod(endpoint: Endpoint): Endpoint[] {
  if (endpoint.method === 'PUT') return [{ ...endpoint, method: 'PATCH' }];
  return endpoint.method === 'PATCH' ? [{ ...endpoint, method: 'PUT' }] : [];
}

async function serve(
  route: Route,
  req: IncomingMessage,
  res: ServerResponse,
  dependencies: MountDependencies,
): Promise<void> {
  const started = performance.now();
  const id = randomUUID();
  const headers: Record<string, string> = { 'X-Request-Id': id, ...deprecation(route.endpoint) };
  const origin = dependencies.linkOrigin?.(req) ?? dependencies.instance.origin;
  const parameters = Object.keys(route.endpoint.query?.shape ?? {});
  let failure: unknown;
  try {
    const reply = await answer(route, { req, res }, { id, headers }, dependencies);
    const type = route.endpoint.contentType;
    const all = type ? { ...headers, 'Content-Type': type } : headers;
    if ('pieces' in reply) await sendText(res, reply.pieces, { ...all, ...reply.headers });
    else if ('events' in reply && reply.events) await sendEvents(res, reply.events, all);
    else sendReply(req, res, reply, all, { origin, parameters });
  } catch (error) {
    failure = error;
    sendFailure(req, res, wordedFor(route.endpoint, error), headers);
  }
  const seconds = (performance.now() - started) / 1_000;
  dependencies.observe({ endpoint: route.endpoint, status: res.statusCode, seconds, error: failure, id });
}

/** https://www.rfc-editor.org/rfc/rfc9745#section-2.1 */
const deprecation = ({ deprecatedOn }: Endpoint): Record<string, string> =>
  deprecatedOn === undefined ? {} : { Deprecation: `@${Date.parse(deprecatedOn) / 1_000}` };

async function answer(
  route: Route,
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  { id, headers }: { id: string; headers: Record<string, string> },
  dependencies: MountDependencies,
  readBody?: () => Promise<ParsedBody>,
): ReturnType<Endpoint['handler']> {
  const { endpoint, byForm } = route;
  const ip = dependencies.clientAddress(req);
  const query = parseQuery(searchOf(req.url ?? ''));
  const count = async (token?: AccessToken): Promise<void> => {
    const client = { ip, accountId: token?.account_id, tokenId: token?.id };
    Object.assign(headers, await counted(endpoint, client, dependencies));
  };
  const body = readBody ?? memoizeAsync(() => bodyOf(endpoint, req, byForm !== undefined));
  const countStranger = memoizeAsync(() => count());
  const sentBearer = memoizeAsync(async () => {
    const bearer = bearerOf(req, query);
    if (bearer !== undefined) return bearer;
    // Before the body is read: an address over its limit costs no more than its headers.
    await countStranger();
    return bearerInBody(endpoint, req, { body, isRead: byForm !== undefined });
  });
  const authenticated = await authenticate(endpoint, sentBearer, dependencies).catch(
    async (error: unknown) => {
      // Guesses of tokens count by address.
      await countStranger();
      throw await refusalOf(route, error, undefined, dependencies);
    },
  );
  await (authenticated ? count(authenticated.token) : countStranger());
  const caller = await authorized(route, authenticated, dependencies);
  if (caller?.viewer) dependencies.seen(caller.viewer, ip);
  const params = paramsOf(route);
  const sent = await body();
  try {
    const meant = byForm ? byForm(sent.fields) : route;
    if (!meant) throw new RookeryError('not_found', 'Not Found');
    if (meant.endpoint !== endpoint)
      return await answer(meant, { req, res }, { id, headers }, dependencies, body);

    const key = headerOf(req, 'idempotency-key');
    const call = { endpoint, params, query, ...sent, key, address: req.url ?? '' };
    const request = {
      requestId: id,
      ip,
      locale: req.headers['accept-language'],
      token: caller?.token,
      viewer: caller?.viewer,
      signal: () => signalOf(res),
      bearer: endpoint.bearer === true ? await sentBearer() : undefined,
    };
    return await handleCall(call, request, headers, dependencies);
  } finally {
    if (sent.files !== NOTHING.files) await discardUploads(sent.files);
  }
}

/** Returns the headers of the limit. */
const counted = async (
  { countsWhen, limit = 'default' }: Endpoint,
  client: Client,
  dependencies: MountDependencies,
): Promise<Record<string, string>> =>
  limit === 'none' ? {} : dependencies.limit(countsWhen ? 'default' : limit, client);

const headerOf = (req: IncomingMessage, name: string): string | undefined => {
  const value = req.headers[name];
  return typeof value === 'string' ? value : undefined;
};

/** Returns a signal that aborts when the connection closes before the reply is written. */
function signalOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const abort = (): void => {
    if (!res.writableEnded) gone.abort(new RookeryError('bad_request', 'The client has gone'));
  };
  if (res.closed) abort();
  else res.once('close', abort);
  return gone.signal;
}

const bodyOf = async (endpoint: Endpoint, req: IncomingMessage, isForm: boolean): Promise<ParsedBody> =>
  req.method === 'GET' || !(endpoint.body || isForm) ? NOTHING : parseBody(req, bodyLimits(endpoint));

const LONG_BODY = 1_000_000;

function bodyLimits({ files, longTexts = false }: Endpoint): BodyLimits {
  if (files) return { maxBytes: LONG_BODY, files };
  return longTexts ? { maxBytes: LONG_BODY } : {};
}
