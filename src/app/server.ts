import type { IncomingMessage, RequestListener } from 'node:http';
import { join, resolve } from 'node:path';
import express, { type Express } from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { recordActivity } from '../../commands/accounts/index.ts';
import { AuditViews } from '../../commands/admin/audit/index.ts';
import { tidyArchives } from '../../commands/archives/index.ts';
import { commandEndpoints } from '../../commands/index.ts';
import { queryEndpoints } from '../../queries/index.ts';
import { createAccountPagesRouter } from '../interfaces/web/settings/router.ts';
import type { App } from './app.ts';
import { CANNOT_LISTEN, blameSetting } from './blame-setting.ts';
import { healthOf, metricsOf } from './health-and-metrics.ts';
import type { Config } from '../config/config.ts';
import { forgetOldDeliveries } from '../interfaces/federation/delivery/forget.ts';
import type { SenderAddress } from '../interfaces/federation/inbox/admission.ts';
import { forgetNewSenders } from '../interfaces/federation/inbox/new-senders.ts';
import { pruneActorClock } from '../interfaces/federation/inbox/actor-clock.ts';
import { pruneTombstones } from '../interfaces/federation/inbox/tombstones.ts';
import { createFederationRouter } from '../interfaces/federation/router.ts';
import { clientAddress, isLoopback, networkOf, siteOf } from '../interfaces/http/client-address.ts';
import { counted, errorHandler, failer, notFoundHandler, unknownPath } from '../interfaces/http/fallbacks.ts';
import { forgetOldKeys } from '../interfaces/http/idempotency.ts';
import { healthHandler } from '../interfaces/http/health.ts';
import { listen, type HttpServer } from '../interfaces/http/listen.ts';
import { metricsHandler } from '../interfaces/http/metrics.ts';
import { mount, type MountDependencies } from '../interfaces/http/mount.ts';
import { openApiHandler } from '../interfaces/http/openapi/index.ts';
import { createRateLimits, limitsOfEndpoints, type RateLimits } from '../interfaces/http/rate-limits.ts';
import { createRemoteMediaRouter } from '../interfaces/http/remote-media.ts';
import { withIpBlocks } from '../interfaces/http/ip-access-blocks.ts';
import { createStaticRouter } from '../interfaces/http/static.ts';
import { closeAll } from '../kernel/close-all.ts';
import type { Id } from '../kernel/ids.ts';
import { atMost } from '../kernel/lru.ts';
import { holds } from '../mastodon/scopes.ts';
import { Streaming, streamingEndpoints, STREAMING_PATH } from '../interfaces/streaming/index.ts';
import { removeStaleTempFiles } from '../operations/stale-temp-files.ts';
import { isOutage, requestLogger } from '../config/logger.ts';
import { cacheFolderOf } from '../adapters/media/cache/files.ts';
import { placeholders } from '../adapters/media/placeholders.ts';
import { isMediaKey } from '../adapters/media/keys.ts';
import { createAddressBook, forgetOldAddresses } from '../interfaces/oauth/addresses.ts';
import { oauthEndpoints } from '../interfaces/oauth/described.ts';
import { forgetUnusedApplications } from '../interfaces/oauth/registrations.ts';
import { createOAuthRouter } from '../interfaces/oauth/router.ts';
import { createSessions } from '../interfaces/oauth/sessions.ts';
import { createPagesRouter, type PageDependencies } from '../interfaces/web/public/router.ts';
import { unknownPageHandler } from '../interfaces/web/public/unknown.ts';
import { VERSION } from '../config/version.ts';

/** Every endpoint of the REST API. */
export const endpoints = [...queryEndpoints, ...commandEndpoints];
/** The operations of the OpenAPI document. */
const describedEndpoints = [...endpoints, ...streamingEndpoints, ...oauthEndpoints];

/** Milliseconds between two clean-ups of outdated rows. */
const CLEANING_INTERVAL = 3_600_000;

/** Serves the API, OAuth, pages and files. @throws ConfigError when it cannot listen */
export async function startServer(app: App, logger: Logger): Promise<HttpServer> {
  const web = express();
  web.disable('x-powered-by');
  web.set('etag', false);
  web.set('query parser', false);
  const fail = failer((error) => logger.error({ err: error }, 'request failed'));
  const { listener: served, streaming, limits } = mountAll(web, app, logger, fail);
  const addressOf = clientAddress(app.config.http.trustedProxies);
  const { media, remoteMedia } = app.contextDependencies.services;
  web.use(
    createStaticRouter({
      media: app.config.media.s3 ? { read: media.read } : { dir: join(resolve(app.config.dataDir), 'media') },
      isMediaKey,
      placeholders,
    }),
  );
  web.use(
    createRemoteMediaRouter({
      cache: remoteMedia,
      files: app.config.media.s3 ? { read: media.read } : { dir: cacheFolderOf(app.config.dataDir) },
      limit: (req) => limits.limitKey('remote_media', `ip:${addressOf(req)}`),
    }),
  );
  web.use(unknownPageHandler(app.instance, unknownPath));
  web.use(notFoundHandler);
  web.use(errorHandler(fail));

  const { listener, upgrades } = withIpBlocks(
    { listener: served, upgrades: streaming.upgrades },
    app.ipAccessBlocks,
    addressOf,
  );
  await app.beginReading();
  const listening = listen(listener, app.config.http, upgrades);
  const server = await blameSetting('BIND and PORT', listening, CANNOT_LISTEN);
  await app.detectOtherApiProcesses();
  const cleaning = setInterval(() => {
    Promise.all([
      forgetOldKeys(app.db),
      forgetOldAddresses(app.db),
      forgetOldDeliveries(app.db, app.config.federation.receiptDays),
      tidyArchives(app.systemContext('archives')),
      pruneTombstones(app.db),
      pruneActorClock(app.db),
      forgetNewSenders(app.db),
      forgetUnusedApplications(app.db),
      removeStaleTempFiles(app.config.dataDir),
      remoteMedia.tidy(),
    ]).catch((error: unknown) => logger.warn({ err: error }, 'what is too old was not dropped'));
  }, CLEANING_INTERVAL);
  return {
    url: server.url,
    close: async () => {
      clearInterval(cleaning);
      await closeAll([() => server.close(), () => streaming.close()]);
    },
  };
}

/** Mounts the API, health and metrics, OAuth and the pages. @returns the listener, and the streams */
function mountAll(
  web: Express,
  app: App,
  logger: Logger,
  fail: MountDependencies['fail'],
): { listener: RequestListener; streaming: Streaming; limits: RateLimits } {
  const { config, checkpoints, db, log } = app;
  const limits = createRateLimits({ ...config.rateLimits, redis: app.redis });
  const addressOf = clientAddress(config.http.trustedProxies);
  const authenticate = app.authenticator.authenticate.bind(app.authenticator);
  const active = activityRecorder(app, logger);
  const addresses = createAddressBook(db, (error) =>
    logger.warn({ err: error }, 'addresses of users were not noted'),
  );
  const seen: MountDependencies['seen'] = ({ account_id }, ip) => {
    active(account_id);
    addresses.note(account_id, ip);
  };
  const streaming = new Streaming({
    log,
    context: app.contextDependencies,
    authenticator: app.authenticator,
    seen,
    ipAccessBlocks: app.ipAccessBlocks,
    deviceDeliveries: app.deviceDeliveries,
    reached: (group, position, timeout) => checkpoints.reached(group, position, timeout),
    limit: (client) => limits.limit('default', client),
    clientAddress: addressOf,
    onError: (error) => logger.error({ err: error }, 'streaming failed'),
  });
  const metrics = metricsOf(app, () => streaming.figures());
  const noted = requestLogger(logger);
  const auditViews = new AuditViews();
  const listener = mount(web, endpoints, {
    ...app.contextDependencies,
    recordReading: (ctx, asked) => auditViews.record(ctx, asked),
    authenticate,
    wasRevoked: (bearer) => app.authenticator.wasRevoked(bearer),
    holds,
    storedCommands: app.storedCommands,
    ...limitsOfEndpoints(limits),
    seen,
    clientAddress: addressOf,
    observe: (request) => {
      metrics.observe(request);
      noted(request);
    },
    fail,
  });
  const described = { title: 'Rookery', version: VERSION, origin: app.instance.origin };
  const limitRequest = (req: IncomingMessage): Promise<unknown> =>
    limits.limit('default', { ip: addressOf(req) });
  web.get('/api/openapi.json', counted(limitRequest), openApiHandler(describedEndpoints, described));
  web.get('/health', healthHandler(healthOf(app)));
  web.get('/metrics', metricsHandler(metrics, config.http.metricsAllowed));
  web.use(STREAMING_PATH, (req, res) => {
    req.url = req.originalUrl;
    streaming.serve(req, res);
  });
  const signingIn = {
    db,
    credentials: app.contextDependencies.services.credentials,
    sessions: createSessions(db, {
      secret: app.keys.secret,
      https: app.instance.origin.startsWith('https:'),
    }),
    limit: limits.limitKey,
    signedIn: addresses.note,
    context: app.pageContext,
  };
  web.use(
    createOAuthRouter({
      ...signingIn,
      instance: app.instance,
      tokens: app.tokens,
      authenticate,
      passwordGrant: config.oauth.passwordGrant,
      clientAddress: addressOf,
      limitRequest,
      onError: (error) => logger.error({ err: error }, 'OAuth request failed'),
    }),
  );
  const pages: PageDependencies = {
    instance: app.instance,
    context: (req) => app.pageContext(addressOf(req)),
    limit: limitRequest,
  };
  web.get(FIXED_DOCUMENTS, counted(limitRequest));
  web.use(
    createFederationRouter({
      ...pages,
      federation: app.federation,
      sender: (req) => senderAddress(addressOf(req), config.rateLimits),
    }),
  );
  web.use(
    createAccountPagesRouter({
      instance: app.instance,
      services: {
        ...signingIn,
        limitAddress: (kind, ip) => limits.limit(kind, { ip }),
        limitUser: limits.limitKind,
      },
      context: (req, user) => app.pageContext(addressOf(req), user, req.headers['accept-language']),
      limitRequest: pages.limit,
    }),
  );
  web.use(createPagesRouter(pages));
  return { listener, streaming, limits };
}

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
      if (!isOutage(error)) logger.warn({ err: error }, 'activity was not recorded');
    });
  };
}
