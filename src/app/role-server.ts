import type { Logger } from 'pino';
import { healthHandlers } from '#interfaces/http/health.ts';
import { type HttpServer, listen } from '#interfaces/http/listen.ts';
import { metricsHandler } from '#interfaces/http/metrics.ts';
import { sendFailure } from '#interfaces/http/reply.ts';
import { notFound } from '#kernel/errors.ts';
import type { App } from './app.ts';
import { healthOf, metricsOf } from './health-and-metrics.ts';

/**
 * Serves the health and `/metrics` of a process without other interfaces.
 * @returns undefined when the port is taken, for instance by another role on the machine: the role matters
 * more
 */
export async function startRoleServer(app: App, logger: Logger): Promise<HttpServer | undefined> {
  const metrics = metricsHandler(metricsOf(app), app.config.http.metricsAllowed);
  const handlers = new Map(Object.entries({ ...healthHandlers(healthOf(app)), '/metrics': metrics }));
  const server = listen((req, res) => {
    const nothing = (error?: unknown): void => sendFailure(req, res, error ?? notFound(), {});
    const { pathname } = new URL(req.url ?? '/', 'http://role');
    const handler = handlers.get(pathname);
    // The handlers only use the plain parts of Express's request and response.
    if (handler)
      void handler(req as Parameters<typeof handler>[0], res as Parameters<typeof handler>[1], nothing);
    else nothing();
  }, app.config.http);
  return server.catch((error: unknown) => {
    logger.warn({ err: error }, 'health and metrics not served: set BIND and PORT of this process');
    return undefined;
  });
}
