import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Logger } from 'pino';
import { type Config, ConfigError, loadConfig, misspelled } from '#config/config.ts';
import { createLog } from '#config/logger.ts';
import type { HttpServer } from '#interfaces/http/listen.ts';
import { closeAll } from '#kernel/close-all.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { unlessHalted } from '#kernel/read-model-halted.ts';
import { isRestoreBegun } from '#operations/backup/index.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { isClusterMissing } from '#storage/embedded/cluster.ts';
import { type App, openApp } from './app.ts';
import { onEndSignals } from './end-signals.ts';
import { createOwner, type OwnerNews } from './first-owner.ts';
import { closeNewServer } from './first-start.ts';
import { startMaintenanceListener } from './maintenance-listener.ts';
import { warningOfProxies } from './proxy-warning.ts';
import { startRoleServer } from './role-server.ts';
import { startServer } from './server.ts';

/** Starts what `ROLE` asks for and runs until SIGINT or SIGTERM. Sets the exit code. */
export async function run(): Promise<void> {
  const config = readConfig();
  if (!config) return;
  const logger = createLog({ level: config.logLevel });
  for (const { name, meant } of misspelled()) {
    logger.warn(`${name} is not a setting, and has no effect. Did you mean ${meant}?`);
  }
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));
  const fail = (reason: Error): void => {
    logger.fatal({ err: reason }, 'the database went away; start again to recover');
    process.exit(1);
  };
  onEndSignals(() => stopping.abort());

  let app: App | undefined;
  const meanwhile = startMaintenanceListener(config.http);
  const begun = performance.now();
  const { dataDir } = config;
  const isFirst = config.database.url === undefined && isClusterMissing(dataDir) && !isRestoreBegun(dataDir);
  if (isFirst) say(`First start: creating a database in ${dataDir}. This takes up to a minute.`);
  try {
    app = await openApp(config, logger, { onLost: fail, signal: stopping.signal, ...meanwhile });
    await meanwhile.end();
    if (isFirst) say(`The database is up after ${((performance.now() - begun) / 1_000).toFixed(1)} s.`);
    await closeNewServer(app);
    const running = await startParts(app, config, logger, stopping.signal);
    const warning = warningOfProxies(config.http);
    if (warning !== undefined) logger.warn(warning);
    dropStartGarbage();
    await stopped;
    await running.stop();
  } catch (error) {
    if (error instanceof ConfigError || isRookeryError(error)) refuse(error);
    else if (error !== stopping.signal.reason) {
      logger.fatal({ err: error }, 'cannot start');
      process.exitCode = 1;
    }
  } finally {
    await closeAll([() => app?.close(), () => meanwhile.end()]);
  }
}

/**
 * Collects the garbage of the start, about a third of the process, which an idle server would keep for hours:
 * V8 only collects when it allocates. The "last resort" also shrinks the space for new objects, which the
 * start enlarged.
 */
function dropStartGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: Record<string, string>) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

function readConfig(): Config | undefined {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    refuse(error);
    return undefined;
  }
}

function refuse({ message }: Error): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/**
 * Starts the parts of this role. If one fails, the earlier ones are stopped: they would keep the process
 * alive.
 */
async function startParts(
  app: App,
  { role }: Config,
  logger: Logger,
  signal: AbortSignal,
): Promise<{ stop: () => Promise<void> }> {
  const stops: (() => Promise<void>)[] = [];
  const stop = (): Promise<void> => closeAll(stops.splice(0));
  try {
    const projector = role === 'all' || role === 'projector' ? await app.startProjector() : undefined;
    if (projector) stops.push(() => projector.stop());
    const reactors = role === 'all' || role === 'reactor' ? await app.startReactors() : undefined;
    if (reactors) stops.push(() => reactors.stop());
    const serves = role === 'all' || role === 'api';
    const server = serves ? await startServer(app, logger) : await startRoleServer(app, logger);
    if (server) stops.push(() => server.close());
    if (server && role === 'all') {
      await createOwner(app, NEWS, signal);
      await greet(server, app);
    } else sayRole(role, serves ? undefined : server);
    if (role === 'api') stops.push(ownerInBackground(app, logger));
    return { stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function sayRole(role: Config['role'], watched: HttpServer | undefined): void {
  const where = watched ? `, with /health and /metrics at ${watched.url}` : '';
  process.stdout.write(`Rookery runs as ${role}${where}.\n`);
}

/**
 * Creates the owner once another process has built the read models: only they tell whether there is a user.
 * @returns a function that stops it
 */
function ownerInBackground(app: App, logger: Logger): () => Promise<void> {
  const ending = new AbortController();
  const made = createOwner(app, NEWS, ending.signal)
    .then(async () => say(await registrationsOf(app)))
    .catch((error: unknown) => {
      if (!ending.signal.aborted)
        logger.error({ err: error }, 'owner not created: the next start tries again');
    });
  return async () => {
    ending.abort();
    await made;
  };
}

const NEWS: OwnerNews = {
  created(username, password) {
    say(`\nThe owner of this server is "${username}", password: ${password}`);
    say('It is shown only this once.');
  },
  passwordUntold(username) {
    say(
      `\nAn earlier start made the owner "${username}", and was interrupted before it showed the password.`,
    );
    say(`To set a new one: npx rookery accounts modify ${username} --reset-password`);
  },
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const REGISTRATIONS = {
  open: 'Anyone can sign up.',
  approved: 'Anyone can ask to sign up, and staff approve them.',
  closed: 'Nobody can sign up.',
};

const registrationsOf = ({ db, instance }: App): Promise<string> =>
  unlessHalted(
    async () => {
      const { registrations } = await instanceSettings(db);
      return `${REGISTRATIONS[registrations]} The owner changes that at ${instance.origin}/start/server/registrations`;
    },
    ({ readModel }) =>
      `The read model ${readModel} is halted; see: npx rookery projections show ${readModel}`,
  );

async function greet(server: HttpServer, app: App): Promise<void> {
  const { instance } = app;
  const registrations = await registrationsOf(app);
  const { port } = new URL(server.url);
  const here = `http://localhost:${port}`;
  say(`\nRookery serves ${instance.origin} at ${server.url}`);
  say(`${registrations}\n\nTry:\n`);
  say(`  curl "${here}/api/v1/accounts/lookup?acct=owner"`);
  say(`  curl "${here}/api/v1/timelines/public"`);
  say(`  curl -d client_name=curl -d redirect_uris=urn:ietf:wg:oauth:2.0:oob ${here}/api/v1/apps\n`);
}
