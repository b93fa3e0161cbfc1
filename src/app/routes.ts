import type { IncomingMessage, RequestListener } from 'node:http';
import type { Express, RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { recordActivity } from '#commands/accounts/index.ts';
import { AuditViews } from '#commands/admin/audit/index.ts';
import { commandEndpoints } from '#commands/index.ts';
import type { Config } from '#config/config.ts';
import { isOutage, requestLogger } from '#config/logger.ts';
import { VERSION } from '#config/version.ts';
import type { SenderAddress } from '#interfaces/federation/inbox/admission.ts';
import { createFederationRouter } from '#interfaces/federation/router.ts';
import { clientAddress, isLoopback, networkOf, siteOf } from '#interfaces/http/client-address.ts';
import { counted, unknownPath } from '#interfaces/http/fallbacks.ts';
import type { HandlingDependencies } from '#interfaces/http/handle.ts';
import { healthHandlers } from '#interfaces/http/health.ts';
import { createLogRouter } from '#interfaces/http/log/router.ts';
import { type Metrics, metricsHandler } from '#interfaces/http/metrics.ts';
import { mount, type MountDependencies } from '#interfaces/http/mount.ts';
import { openApiHandler } from '#interfaces/http/openapi/index.ts';
import { ownCalls } from '#interfaces/http/own-calls.ts';
import { createRateLimits, limitsOfEndpoints, type RateLimits } from '#interfaces/http/rate-limits.ts';
import { createWitnessRouter } from '#interfaces/http/witness-routes.ts';
import { createAddressBook } from '#interfaces/oauth/addresses.ts';
import type { Authenticator } from '#interfaces/oauth/authenticate.ts';
import { oauthEndpoints } from '#interfaces/oauth/described.ts';
import { createOAuthRouter } from '#interfaces/oauth/router.ts';
import { createSessions, type Sessions } from '#interfaces/oauth/sessions.ts';
import {
  PAGE_STREAMING_PATH,
  Streaming,
  STREAMING_PATH,
  streamingEndpoints,
} from '#interfaces/streaming/index.ts';
import { consolePages } from '#interfaces/web/admin/index.ts';
import { clientPages } from '#interfaces/web/client/index.ts';
import { createAssetsRouter } from '#interfaces/web/page/assets.ts';
import { compressed } from '#interfaces/web/page/compressed.ts';
import { createWebRouter } from '#interfaces/web/page/router.ts';
import { unknownUserPageHandler } from '#interfaces/web/page/unknown.ts';
import type { WebDependencies } from '#interfaces/web/page/visit.ts';
import { createPagesRouter, type PageDependencies } from '#interfaces/web/public/router.ts';
import { accountPages, MOVED } from '#interfaces/web/settings/index.ts';
import type { Id } from '#kernel/ids.ts';
import { atMost } from '#kernel/lru.ts';
import { holds } from '#mastodon/scopes.ts';
import { queryEndpoints } from '#queries/index.ts';
import type { App } from './app.ts';
import { healthOf, metricsOf } from './health-and-metrics.ts';

/** Every endpoint of the REST API. */
export const endpoints = [...queryEndpoints, ...commandEndpoints];
/** The operations of the OpenAPI document. */
const describedEndpoints = [...endpoints, ...streamingEndpoints, ...oauthEndpoints];

type Handling = HandlingDependencies & Pick<MountDependencies, 'holds' | 'limit'>;

/** The parts that the routes share. */
interface Serving extends ServerOptions {
  limits: RateLimits;
  addressOf: (req: IncomingMessage) => string;
  addresses: ReturnType<typeof createAddressBook>;
  sessions: Sessions;
  handling: Handling;
  /** Records that a user was active, and from which address. */
  seen: MountDependencies['seen'];
  limitRequest: (req: IncomingMessage) => Promise<unknown>;
}

interface ServerOptions {
  web: Express;
  app: App;
  logger: Logger;
  fail: MountDependencies['fail'];
}

/** Mounts the API, health and metrics, OAuth and the pages. @returns the listener, and the streams */
export function mountAll(options: ServerOptions): {
  listener: RequestListener;
  streaming: Streaming;
  limits: RateLimits;
  /** Shows signed-in users that an address is unknown; the last of the routes. */
  unknownForUsers: RequestHandler;
} {
  const serving = servingOf(options);
  const streaming = streamingOf(serving);
  const metrics = metricsOf(options.app, () => streaming.figures());
  const listener = mountApi(serving, metrics);
  mountDescriptions(serving, metrics);
  options.web.use(STREAMING_PATH, (req, res) => {
    req.url = req.originalUrl;
    streaming.serve(req, res);
  });
  options.web.all(PAGE_STREAMING_PATH, (req, res) => streaming.servePages(req, res));
  const unknownForUsers = mountPages(serving);
  return { listener, streaming, limits: serving.limits, unknownForUsers };
}

function servingOf(options: ServerOptions): Serving {
  const { app, logger } = options;
  const limits = createRateLimits({ ...app.config.rateLimits, redis: app.redis });
  const addressOf = clientAddress(app.config.http.trustedProxies);
  const recordActive = activityRecorder(app, logger);
  const addresses = createAddressBook(app.db, (error) =>
    logger.warn({ err: error }, 'sign-in addresses not recorded'),
  );
  return {
    ...options,
    limits,
    addressOf,
    addresses,
    sessions: sessionsOf(app),
    handling: handlingOf(app, limits),
    seen: ({ account_id }, ip) => {
      recordActive(account_id);
      addresses.note(account_id, ip);
    },
    limitRequest: (req) => limits.limit('default', { ip: addressOf(req) }),
  };
}

function sessionsOf({ db, keys, instance, authenticator, users }: App): Sessions {
  const https = instance.origin.startsWith('https:');
  const sessions = createSessions(db, { secret: keys.secret, https, users });
  authenticator.watch((change) => sessions.changed(change));
  return sessions;
}

/** Returns what handling a request needs, whether it comes from the network or from a page of this server. */
function handlingOf(app: App, limits: RateLimits): Handling {
  const auditViews = new AuditViews();
  return {
    ...app.contextDependencies,
    ...limitsOfEndpoints(limits),
    recordReading: (ctx, asked) => auditViews.record(ctx, asked),
    storedCommands: app.storedCommands,
    holds,
  };
}

const streamingOf = ({ app, logger, limits, addressOf, sessions, seen }: Serving): Streaming =>
  new Streaming({
    log: app.log,
    context: app.contextDependencies,
    authenticator: app.authenticator,
    sessions,
    seen,
    ipAccessBlocks: app.ipAccessBlocks,
    deviceDeliveries: app.deviceDeliveries,
    reached: (group, position, timeout) => app.checkpoints.reached(group, position, timeout),
    limit: (client) => limits.limit('default', client),
    clientAddress: addressOf,
    onError: (error) => logger.error({ err: error }, 'streaming failed'),
  });

function mountApi(
  { web, app, logger, handling, addressOf, seen, fail }: Serving,
  metrics: Metrics,
): RequestListener {
  const logRequest = requestLogger(logger);
  return mount(web, endpoints, {
    ...handling,
    authenticate: authenticateFor(app),
    wasRevoked: (bearer) => app.authenticator.wasRevoked(bearer),
    seen,
    clientAddress: addressOf,
    observe: (request) => {
      metrics.observe(request);
      logRequest(request);
    },
    fail,
  });
}

const authenticateFor = ({ authenticator }: App): Authenticator['authenticate'] =>
  authenticator.authenticate.bind(authenticator);

/** Mounts the documents about the server: OpenAPI, health, metrics, the tiles of the log. */
function mountDescriptions({ web, app, limits, addressOf, limitRequest }: Serving, metrics: Metrics): void {
  const described = { title: 'Rookery', version: VERSION, origin: app.instance.origin };
  web.get('/api/openapi.json', counted(limitRequest), openApiHandler(describedEndpoints, described));
  for (const [path, handler] of Object.entries(healthHandlers(healthOf(app)))) web.get(path, handler);
  const limitTiles = (req: IncomingMessage): Promise<unknown> =>
    limits.limitKind('log_tiles', { ip: addressOf(req) });
  web.use(createLogRouter({ log: app.transparencyLog, limitTiles }));
  web.get('/metrics', metricsHandler(metrics, app.config.http.metricsAllowed));
  web.use(createWitnessRouter(app.logWitness, limitRequest));
}

/** Mounts OAuth, the documents for other servers, and the pages. @returns the page for unknown addresses */
function mountPages(serving: Serving): RequestHandler {
  const { web, app, logger, limits, addressOf, addresses, sessions, limitRequest } = serving;
  const { config, db, instance } = app;
  const signingIn = {
    db,
    users: app.users,
    credentials: app.contextDependencies.services.credentials,
    sessions,
    limit: limits.limitKey,
    signedIn: addresses.note,
    context: app.pageContext,
  };
  web.use(createAssetsRouter());
  web.use(compressed);
  web.use(
    createOAuthRouter({
      ...signingIn,
      instance,
      tokens: app.tokens,
      tokenDigests: app.tokenDigests,
      authenticate: authenticateFor(app),
      passwordGrant: config.oauth.passwordGrant,
      clientAddress: addressOf,
      limitRequest,
      onError: (error) => logger.error({ err: error }, 'OAuth request failed'),
    }),
  );
  const pages: PageDependencies = {
    instance,
    context: (req) => app.pageContext(addressOf(req)),
    limit: limitRequest,
  };
  web.get(FIXED_DOCUMENTS, counted(limitRequest));
  const sender = (req: IncomingMessage): SenderAddress => senderAddress(addressOf(req), config.rateLimits);
  web.use(createFederationRouter({ ...pages, federation: app.federation, sender }));
  const forUsers: WebDependencies = {
    instance,
    services: {
      ...signingIn,
      mailsTo: config.smtp?.host,
      limitAddress: (kind, ip) => limits.limit(kind, { ip }),
      limitUser: limits.limitKind,
    },
    context: (req, user) => app.pageContext(addressOf(req), user, req.headers['accept-language']),
    limitRequest,
    callsOf: ownCalls(endpoints, serving.handling),
    seen: serving.seen,
  };
  web.use(createWebRouter(forUsers, webPages));
  web.use(createPagesRouter(pages));
  return unknownUserPageHandler(forUsers, unknownPath);
}

const webPages = { pages: [...accountPages, ...consolePages, ...clientPages], moved: MOVED };

/** Federation documents that are the same for every server. */
const FIXED_DOCUMENTS = [
  '/actor',
  '/actor/outbox',
  '/.well-known/host-meta',
  '/.well-known/host-meta.xml',
  '/.well-known/host-meta.json',
];

/** Returns the sender's address of a delivery. `ip` is in canonical text. */
const senderAddress = (ip: string, { enabled, exemptLoopback }: Config['rateLimits']): SenderAddress => ({
  network: networkOf(ip),
  site: siteOf(ip),
  isLimited: enabled && !(exemptLoopback && isLoopback(ip)),
});

/** In milliseconds. */
const DAY = 86_400_000;

/** Records once a day that a user was active; in the background, so that no request waits. */
function activityRecorder(app: App, logger: Logger): (accountId: Id) => void {
  const seenOn = new LRUCache<string, number>(atMost(100_000));
  return (accountId) => {
    const today = Math.floor(Date.now() / DAY);
    if (seenOn.get(accountId) === today) return;
    seenOn.set(accountId, today);
    recordActivity(app.systemContext('activity'), accountId).catch((error: unknown) => {
      seenOn.delete(accountId);
      // An outage is reported elsewhere, and every request would repeat this line.
      if (!isOutage(error)) logger.warn({ err: error }, 'activity not recorded');
    });
  };
}
