import pino from 'pino';
import {
  buildPast,
  openPast,
  pointAt,
  startPastServer,
  type Past,
  type Point,
  type When,
} from '../as-of/index.ts';
import { openApp } from '../app.ts';
import { loadConfig, type Config } from '../config.ts';
import { createLog } from '../log.ts';
import { startEmbeddedPostgres } from '../postgres/embedded.ts';
import { showProgress } from './progress.ts';

/**
 * Builds the read models of a point of the past where they are not there, and serves them until SIGINT, SIGTERM or the end of what
 * it serves. A running server of the same database goes on beside it.
 *
 * @param port instead of that of the settings
 */
export async function serveAsOf(when: When, port: number | undefined): Promise<void> {
  const config = loadConfig();
  const logger = createLog({ level: config.logLevel });
  const over = Promise.withResolvers<Error | undefined>();
  const embedded =
    config.database.url === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: logger, onLost: over.resolve })
      : undefined;
  const url = config.database.url ?? embedded?.url ?? '';
  try {
    const past = await openBuilt({ ...config, database: { ...config.database, url } }, url, when);
    try {
      const server = await startPastServer(past, port ?? config.http.port, logger);
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.once(signal, () => over.resolve(undefined));
      const end = (): void => over.resolve(past.ended.reason as Error);
      past.ended.addEventListener('abort', end);
      if (past.ended.aborted) end();
      console.log(
        `Rookery serves ${config.site.origin} as of position ${past.position} (${past.moment}) at ${server.url}, for reading only.`,
      );
      const reason = await over.promise;
      await server.close();
      if (reason) throw reason;
    } finally {
      await past.close();
    }
  } finally {
    await embedded?.stop();
  }
}

/** Somebody may remove what was built before it is served: then it is built again. */
async function openBuilt(config: Config, url: string, when: When): Promise<Past> {
  for (;;) {
    const past = await openPast(config, url, await build(config, when));
    if (past) return past;
  }
}

/** By a server of its own without HTTP, which is gone when the past is served. */
async function build(config: Config, when: When): Promise<Point> {
  const app = await openApp(config, pino({ level: 'fatal' }, pino.destination({ dest: 2, sync: true })));
  try {
    const { log, projectionDb: db } = app;
    const point = await pointAt(log, when);
    const progress = showProgress('Building');
    await buildPast({ log, db, point, onProgress: progress.update }).finally(progress.stop);
    return point;
  } finally {
    await app.close();
  }
}
