import pino, { type Logger } from 'pino';
import {
  buildPast,
  openPast,
  pointAt,
  startPastServer,
  type Past,
  type PastServerOptions,
  type Point,
  type When,
} from '../app/as-of/index.ts';
import { openApp } from '../app/app.ts';
import { CANNOT_LISTEN, blameSetting } from '../app/blame-setting.ts';
import { loadConfig, type Config } from '../config/config.ts';
import { createLog } from '../config/logger.ts';
import { startEmbeddedPostgres } from '../storage/embedded/embedded.ts';
import { showProgress } from './progress.ts';
import { confirm } from './output.ts';

interface ServeAsOfOptions extends Omit<PastServerOptions, 'port'> {
  port: number | undefined;
}

/**
 * Builds the read models of a point in the past if they do not exist, and serves them until SIGINT or
 * SIGTERM, beside a running server of the same database. An erasure removes the build, which is then built
 * again.
 * @param options its `port` overrides the one of the settings
 */
export async function serveAsOf(when: When, options: ServeAsOfOptions): Promise<void> {
  const settings = loadConfig();
  const logger = createLog({ level: settings.logLevel });
  const stop = new AbortController();
  let failure: Error | undefined;
  const onLost = (reason: Error): void => {
    failure = reason;
    stop.abort();
  };
  const embedded =
    settings.database.url === undefined
      ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log: logger, onLost })
      : undefined;
  const config = withDatabase(settings, settings.database.url ?? embedded?.url ?? '');
  const serve = (past: Past): Promise<void> =>
    serveUntil(AbortSignal.any([stop.signal, past.ended]), past, options, logger);
  try {
    let past = await openBuilt(config, when);
    // Not before: long work until then can be interrupted.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    await serve(past);
    while (!stop.signal.aborted) {
      logger.warn({ err: past.ended.reason as Error }, 'past state lost: building it again');
      past = await openBuilt(config, when);
      await serve(past);
    }
    if (failure) throw failure;
  } finally {
    await embedded?.stop();
  }
}

async function serveUntil(
  end: AbortSignal,
  past: Past,
  { port, ...options }: ServeAsOfOptions,
  logger: Logger,
): Promise<void> {
  try {
    const listening = startPastServer(past, { ...options, port: port ?? past.config.http.port }, logger);
    const server = await blameSetting(
      port === undefined ? '--bind and PORT' : '--port',
      listening,
      CANNOT_LISTEN,
    );
    const { config, position, moment } = past;
    const seenBy = options.audience === 'staff' ? '' : ' and for everyone';
    const point = `position ${position} (${moment})`;
    confirm(
      `Rookery serves ${config.site.origin} as of ${point} at ${server.url}, for reading only${seenBy}.`,
    );
    await aborted(end);
    await server.close();
  } finally {
    await past.close();
  }
}

const withDatabase = (config: Config, url: string): Config => ({
  ...config,
  database: { ...config.database, url },
});

const aborted = (signal: AbortSignal): Promise<unknown> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

/** The build may be removed before it is served; it is then built again. */
async function openBuilt(config: Config, when: When): Promise<Past> {
  for (;;) {
    const point = await build(config, when);
    const past = await openPast(config, config.database.url ?? '', point);
    if (past) return past;
  }
}

/** Builds with a server without HTTP, which closes before the past is served. */
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
