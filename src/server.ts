import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { recordActivity } from '../commands/accounts/index.ts';
import { commandEndpoints } from '../commands/index.ts';
import { queryEndpoints } from '../queries/index.ts';
import type { App } from './app.ts';
import { clientAddress } from './http/client-address.ts';
import { forgetOldKeys } from './http/idempotency.ts';
import { mount } from './http/mount.ts';
import { openApiDocument } from './http/openapi.ts';
import type { Viewer } from './kernel/context.ts';
import { createOAuthRouter } from './oauth/router.ts';
import { createConfirmationRouter } from './pages/confirmation.ts';
import { createRateLimits } from './http/rate-limits.ts';
import { holds } from './kernel/scopes.ts';

/** Every endpoint of the REST API. */
export const endpoints = [...queryEndpoints, ...commandEndpoints];

/** How often remembered idempotency keys are looked through, in milliseconds. */
const CLEANING_INTERVAL = 3_600_000;

export interface HttpServer {
  /** Where it listens: `http://host:port`. */
  url: string;
  close(): Promise<void>;
}

/** Serves the API, OAuth, pages and files. */
export async function startServer(app: App, logger: Logger): Promise<HttpServer> {
  const { config } = app;
  const limits = createRateLimits({ ...config.rateLimits, redis: app.redis });
  const addressOf = clientAddress(config.http.trustedProxies);
  const web = express();
  web.disable('x-powered-by');
  web.set('etag', false);
  web.set('query parser', false);
  mount(web, endpoints, {
    ...app.contextDependencies,
    authenticate: (bearer) => app.authenticator.authenticate(bearer),
    holds,
    limit: limits.limit,
    seen: activityRecorder(app, logger),
    clientAddress: addressOf,
    observe: ({ error, status, endpoint, id }) => {
      if (status >= 500) logger.error({ err: error, route: endpoint.path, id }, 'request failed');
    },
  });
  web.use(
    createOAuthRouter({
      db: app.db,
      instance: app.instance,
      credentials: app.contextDependencies.services.credentials,
      tokens: app.tokens,
      authenticate: (bearer) => app.authenticator.authenticate(bearer),
      secret: app.keys.secret,
      passwordGrant: config.oauth.passwordGrant,
      limit: limits.limitKey,
      clientAddress: addressOf,
      onError: (error) => logger.error({ err: error }, 'OAuth request failed'),
    }),
  );
  web.use(
    createConfirmationRouter({
      context: (req) => app.pageContext(addressOf(req)),
      limit: (req) => limits.limit('default', { ip: addressOf(req), accountId: undefined }),
    }),
  );
  const document = JSON.stringify(
    openApiDocument(endpoints, { title: 'Rookery', version: '0.1.0', origin: app.instance.origin }),
  );
  web.get('/api/openapi.json', (_req, res) => void res.type('json').send(document));
  const server = await listen(createServer(web), app.config.http);
  const cleaning = setInterval(() => {
    forgetOldKeys(app.db).catch((error: unknown) => logger.warn({ err: error }, 'old keys were not dropped'));
  }, CLEANING_INTERVAL);
  return {
    url: server.url,
    close: () => {
      clearInterval(cleaning);
      return server.close();
    },
  };
}

/** Records once a day that a user was there; in the background, for no request waits for it. */
function activityRecorder(app: App, logger: Logger): (viewer: Viewer) => void {
  const seenOn = new LRUCache<string, string>({ max: 100_000 });
  return ({ account_id }) => {
    const today = new Date().toISOString().slice(0, 10);
    if (seenOn.get(account_id) === today) return;
    seenOn.set(account_id, today);
    recordActivity(app.systemContext('activity'), account_id).catch((error: unknown) => {
      seenOn.delete(account_id);
      logger.warn({ err: error }, 'activity was not recorded');
    });
  };
}

function listen(server: Server, { bind, port }: { bind: string; port: number }): Promise<HttpServer> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, bind, () => {
      const { address, port: actual, family } = server.address() as AddressInfo;
      const host = family === 'IPv6' ? `[${address}]` : address;
      resolve({ url: `http://${host}:${actual}`, close: () => closeGently(server) });
    });
  });
}

/** Open requests may end; idle connections are closed. */
function closeGently(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 5_000).unref();
  });
}
