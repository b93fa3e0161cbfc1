import type { IncomingMessage, RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestLogger } from '#config/logger.ts';
import { VERSION } from '#config/version.ts';
import { bearerOf } from '#interfaces/http/bearer.ts';
import { authorize } from '#interfaces/http/caller.ts';
import { clientAddress } from '#interfaces/http/client-address.ts';
import { errorHandler, failer, notFoundHandler } from '#interfaces/http/fallbacks.ts';
import { healthHandlers, LIVENESS, READINESS } from '#interfaces/http/health.ts';
import { withIpBlocks } from '#interfaces/http/ip-access-blocks.ts';
import { type HttpServer, listen } from '#interfaces/http/listen.ts';
import { mount } from '#interfaces/http/mount.ts';
import { openApiHandler } from '#interfaces/http/openapi/index.ts';
import { createRateLimits, limitsOfEndpoints } from '#interfaces/http/rate-limits.ts';
import { sendFailure } from '#interfaces/http/reply.ts';
import { STREAMING_PATH } from '#interfaces/streaming/index.ts';
import { badToken, forbidden, RookeryError, unauthorized } from '#kernel/errors.ts';
import { holds } from '#mastodon/scopes.ts';
import { queryEndpoints } from '#queries/index.ts';
import { mountFiles } from '../files.ts';
import type { Past } from './open.ts';
import { takesNoChanges } from './services.ts';

/** Only reads: the past takes no writes. */
const endpoints = queryEndpoints.filter(({ method }) => method === 'GET');
const READING = ['GET', 'HEAD', 'OPTIONS'];

export interface PastServerOptions {
  bind: string;
  /** 0 picks a free one. */
  port: number;
  /** `staff` requires a staff token with each request; `everyone` replies as the API did then. */
  audience: 'staff' | 'everyone';
  /** The local user whose view of then staff get, instead of their own. */
  viewer?: PastViewer | undefined;
}

/** A local user of then. */
export interface PastViewer {
  id: string;
  username: string;
}

/** Serves the REST API as of then, and files. OAuth, pages and ActivityPub belong to the present. */
export async function startPastServer(
  past: Past,
  options: PastServerOptions,
  logger: Logger,
): Promise<HttpServer> {
  const { config, contextDependencies, moment } = past;
  const { instance, services } = contextDependencies;
  const web = express();
  web.disable('x-powered-by');
  web.set('etag', false);
  web.set('query parser', false);
  web.use(readsOnly);
  const fail = failer((error) => logger.error({ err: error }, 'request failed'));
  const addressOf = clientAddress(config.http.trustedProxies);
  const served = mount(web, endpoints, {
    ...contextDependencies,
    authenticate: options.viewer ? asViewer(past, options.viewer) : past.authenticate,
    wasRevoked: past.wasRevoked,
    holds,
    ...limitsOfEndpoints(createRateLimits(config.rateLimits)),
    seen: () => undefined,
    clientAddress: addressOf,
    linkOrigin: (req) => originAskedFor(req) ?? instance.origin,
    observe: requestLogger(logger),
    fail,
  });
  const described = { title: 'Rookery', version: VERSION, origin: instance.origin };
  web.get('/api/openapi.json', openApiHandler(endpoints, described));
  const health = healthHandlers({ checks: { database: () => past.db.query('select 1') } });
  for (const [path, handler] of Object.entries(health)) web.get(path, handler);
  web.use(STREAMING_PATH, () => {
    throw forbidden('This server shows the past: nothing happens there any more');
  });
  mountFiles(web, config, services, () => Promise.resolve());
  web.use(namesWhatIsLeftOut);
  web.use(notFoundHandler);
  web.use(errorHandler(fail));

  // No request is upgraded: a WebSocket gets the reply of the streams.
  const upgrades = { wants: () => false, take: () => undefined };
  const { listener } = withIpBlocks({ listener: served, upgrades }, past.ipAccessBlocks, addressOf);
  const isForStaff = options.audience === 'staff' || options.viewer !== undefined;
  const forAudience = isForStaff ? staffOnly(listener, past) : listener;
  // RFC 7089 section 2.1.1: the moment that a reply shows.
  const shown = new Date(moment).toUTCString();
  return listen((req, res) => {
    res.setHeader('Memento-Datetime', shown);
    if (RANKED.test(req.url ?? '')) res.setHeader('Rookery-Recomputed', 'rankings');
    forAudience(req, res);
  }, options);
}

/**
 * Rankings are not in the log: the past ones are computed from the read models of then, and may differ from
 * those that were shown.
 */
const RANKED = /^\/api\/v\d\/(?:trends|suggestions)\b/;

/** Staff see what a user saw, also one who is suspended by now. They get no rights of the user but reading. */
const asViewer =
  ({ authenticate }: Past, { id, username }: PastViewer): Past['authenticate'] =>
  async (bearer) => {
    const caller = await authenticate(bearer);
    if (!caller?.viewer) return caller;
    const may = {
      role: null,
      confirmed: true,
      approved: true,
      disabled: false,
      suspended: false,
      moved: false,
    };
    return {
      token: { ...caller.token, account_id: id, scopes: ['read'] },
      viewer: { account_id: id, username, ...may },
    };
  };

/** Open to monitoring, and to CORS preflights. */
const isOpen = ({ method, url }: IncomingMessage): boolean =>
  method === 'OPTIONS' || OPEN.includes(url ?? '');
const OPEN: readonly string[] = [LIVENESS, ...READINESS];

/** The past contains deleted data, so only today's staff see it unless the operator decides otherwise. */
const staffOnly =
  (listener: RequestListener, { authenticate }: Past): RequestListener =>
  (req, res) => {
    if (isOpen(req)) return listener(req, res);
    requireStaff(req, authenticate).then(
      () => listener(req, res),
      (error: unknown) => sendFailure(req, res, error, {}),
    );
  };

/** @throws RookeryError `unauthorized`, `forbidden` */
async function requireStaff(req: IncomingMessage, authenticate: Past['authenticate']): Promise<void> {
  const query = new URLSearchParams(req.url?.split('?')[1]);
  const bearer = bearerOf(req, { access_token: query.get('access_token') });
  if (bearer === undefined)
    throw unauthorized('This server shows the past to staff: send the access token of one');
  const caller = await authenticate(bearer);
  if (!caller) throw badToken();
  const demands = { auth: 'user', scopes: [] } as const;
  authorize(demands, caller, holds);
  if (caller.viewer?.role == null) throw forbidden('This server shows the past to staff only');
}

/** Pages, feeds, sign-in and federation belong to the present. */
const namesWhatIsLeftOut: RequestHandler = ({ path }, _res, next) =>
  next(
    path.startsWith('/api/')
      ? undefined
      : new RookeryError(
          'not_found',
          'This server shows the past over the API only: pages and feeds are left out',
        ),
  );

const readsOnly: RequestHandler = ({ method }, _res, next) =>
  next(READING.includes(method) ? undefined : takesNoChanges());

/** Returns the origin that the client used, so that links to further pages lead back here. */
function originAskedFor({ headers }: IncomingMessage): string | undefined {
  const { host, 'x-forwarded-proto': scheme } = headers;
  if (host === undefined || !/^[\w.[\]:-]{1,255}$/.test(host)) return undefined;
  return `${scheme === 'https' ? 'https' : 'http'}://${host}`;
}
