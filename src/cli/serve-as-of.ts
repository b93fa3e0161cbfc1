import pino, { type Logger } from 'pino';
import { type App, openApp } from '#app/app.ts';
import {
  buildPast,
  openPast,
  type Past,
  type PastServerOptions,
  type PastViewer,
  type Point,
  pointAt,
  startPastServer,
  type When,
} from '#app/as-of/index.ts';
import { blameSetting, CANNOT_LISTEN } from '#app/blame-setting.ts';
import { onEndSignals } from '#app/end-signals.ts';
import { holderOfUsername } from '#commands/accounts/index.ts';
import { recordPastView } from '#commands/admin/audit/index.ts';
import { type Config, loadConfig } from '#config/config.ts';
import { createLog } from '#config/logger.ts';
import { RookeryError } from '#kernel/errors.ts';
import { OPERATOR } from '#kernel/event.ts';
import { accountIdOfHandle } from '#queries/accounts/index.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded.ts';
import { confirm } from './output.ts';
import { showProgress } from './progress.ts';

interface ServeAsOfOptions extends Omit<PastServerOptions, 'port' | 'viewer'> {
  port: number | undefined;
  /** The name of the local account whose view staff get. */
  as: string | undefined;
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
    let past = await openBuilt(config, when, options.as);
    // Not before: long work until then can be interrupted.
    onEndSignals(() => stop.abort());
    await serve(past);
    while (!stop.signal.aborted) {
      logger.warn({ err: past.ended.reason as Error }, 'past state lost: building it again');
      past = await openBuilt(config, when, options.as);
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
  { port, as, ...options }: ServeAsOfOptions,
  logger: Logger,
): Promise<void> {
  try {
    const viewer = as === undefined ? undefined : await viewerOf(past, as);
    const chosen = { ...options, viewer, port: port ?? past.config.http.port };
    const listening = startPastServer(past, chosen, logger);
    const server = await blameSetting(
      port === undefined ? '--bind and PORT' : '--port',
      listening,
      CANNOT_LISTEN,
    );
    const { config, position, moment } = past;
    const seenBy = viewer
      ? `, to staff, as @${viewer.username} saw it`
      : options.audience === 'staff'
        ? ''
        : ' and for everyone';
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

/** Records who is looked at before anything is shown. @throws RookeryError `not_found` */
async function recordView(app: App, name: string, { position }: Point): Promise<void> {
  const ctx = app.systemContext(OPERATOR);
  const account_id = await holderOfUsername(ctx, name);
  if (account_id === undefined) throw new RookeryError('not_found', `There is no local account @${name}`);
  await recordPastView(ctx, { account_id, position: String(position) });
}

/** @throws RookeryError `not_found` for an account that came later */
async function viewerOf({ db, contextDependencies }: Past, name: string): Promise<PastViewer> {
  const id = await accountIdOfHandle(db, contextDependencies.instance, name);
  if (id === undefined) throw new RookeryError('not_found', `There was no account @${name} at that time`);
  return { id, username: name };
}

/** The build may be removed before it is served; it is then built again. */
async function openBuilt(config: Config, when: When, as: string | undefined): Promise<Past> {
  for (;;) {
    const point = await build(config, when, as);
    const past = await openPast(config, config.database.url ?? '', point);
    if (past) return past;
  }
}

/** Builds with a server without HTTP, which closes before the past is served. */
async function build(config: Config, when: When, as: string | undefined): Promise<Point> {
  const app = await openApp(config, pino({ level: 'fatal' }, pino.destination({ dest: 2, sync: true })));
  try {
    const { log, projectionDb: db } = app;
    const point = await pointAt(log, when);
    if (as !== undefined) await recordView(app, as, point);
    const progress = showProgress('Building');
    await buildPast({ log, db, point, onProgress: progress.update }).finally(progress.stop);
    return point;
  } finally {
    await app.close();
  }
}
