import { resolve } from 'node:path';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { PasswordCost } from '#adapters/passwords.ts';
import { openSharedPositions } from '#adapters/redis/positions.ts';
import { ensureApplication } from '#commands/apps/index.ts';
import type { Config } from '#config/config.ts';
import { type Keys, loadOrCreateKeys } from '#config/keys.ts';
import { buildReporter } from '#config/logger.ts';
import { VERSION } from '#config/version.ts';
import type { Federation } from '#interfaces/federation/index.ts';
import { type Authenticator, createAuthenticator } from '#interfaces/oauth/authenticate.ts';
import { createRegistrations } from '#interfaces/oauth/registrations.ts';
import { TokenDigests } from '#interfaces/oauth/token-digest.ts';
import { createTokens, type TokenStore } from '#interfaces/oauth/tokens.ts';
import { createUsers, type Users } from '#interfaces/oauth/users.ts';
import { closeAll } from '#kernel/close-all.ts';
import type { ContextDependencies, Instance } from '#kernel/context.ts';
import { idGenerator } from '#kernel/ids.ts';
import { reportStrays } from '#kernel/stray-rejections.ts';
import { ErasureList, refuseBegunRestore } from '#operations/backup/index.ts';
import { projections } from '#projections/index.ts';
import { execute } from '#storage/eventlog/execute.ts';
import { detectOtherApiProcesses } from '#storage/postgres/detect-other-api-processes.ts';
import { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';
import { buildMissing } from '#storage/postgres/projector/projector.ts';
import { ReadYourWrites } from '#storage/postgres/projector/read-your-writes.ts';
import { blameSetting } from './blame-setting.ts';
import { type Caches, listenForChanges, openCaches } from './caches.ts';
import { type Contexts, contextsOf } from './contexts.ts';
import { federationFor } from './federation.ts';
import type { Foundation } from './foundation.ts';
import { type Gateways, openGateways } from './gateways.ts';
import { instanceOf } from './instance.ts';
import type { OnBuild } from './maintenance-listener.ts';
import { BATCH_DELAY_MS, type Roles, rolesOf } from './roles.ts';
import { createServices } from './services.ts';
import { checkSiteAddress } from './site-address.ts';
import { openStores, type Stores, type StoresOptions } from './stores.ts';
import { completeTokenDigests } from './token-digests.ts';

const UNSHARED =
  'REDIS_URL missing: another process serves the API on this database. Each process counts rate limits by itself, ' +
  'and a client may have to wait in one of them for what it wrote through the other';

/** The assembled parts of a running Rookery. The server and the command line both start here. */
export interface App extends Stores, Caches, Contexts, Roles {
  config: Config;
  keys: Keys;
  instance: Instance;
  checkpoints: Checkpoints;
  redis: Redis | undefined;
  logWitnesses: Gateways['logWitnesses'];
  logWitness: Gateways['logWitness'];
  authenticator: Authenticator;
  users: Users;
  tokenDigests: TokenDigests;
  tokens: TokenStore;
  federation: Federation;
  contextDependencies: ContextDependencies;
  /** Announces to other processes on this database that this one serves the API, and listens to them. */
  detectOtherApiProcesses(): Promise<void>;
  /** Before the server starts: makes readers wait for everything written so far, a second at most. */
  beginReading(): Promise<void>;
  close(): Promise<void>;
}

export interface AppOptions {
  /** Called when the embedded Postgres was lost; the process should end. */
  onLost?: (reason: Error) => void;
  /** Opens an unfinished restore as well. */
  restoring?: boolean;
  /** Called with the progress of builds that this version needs, before anything else happens. */
  onBuild?: OnBuild;
  /** Stops a build of read models, and with it the opening, which throws the reason. */
  signal?: AbortSignal;
  /** Skips building missing read models: for commands that only observe. */
  onlyLooks?: boolean;
  /**
   * Opens a log that does not belong to the read models, and leaves these unchanged: for commands that
   * inspect the log.
   */
  anyLog?: boolean;
  /** Gives way to a server on the same machine: for builds. */
  background?: boolean;
  /** The cost of password hashes, if not the usual one. */
  passwordCost?: PasswordCost;
}

/** Opens everything but the HTTP server. Migrates databases, creates keys, and builds missing read models. */
export async function openApp(config: Config, logger: Logger, options: AppOptions = {}): Promise<App> {
  reportStrays((owner, err) => logger.error({ err }, `${owner} left a rejected promise behind`));
  const closers: (() => unknown)[] = [];
  const close = (): Promise<void> => closeAll(closers.splice(0));
  try {
    return { ...(await assemble(config, logger, options, (each) => void closers.push(each))), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function assemble(
  config: Config,
  logger: Logger,
  options: AppOptions,
  closing: StoresOptions['closing'],
): Promise<Omit<App, 'close'>> {
  const contexts = contextsOf(() => contextDependencies);
  const foundation = await openFoundation({ config, logger, closing, contexts }, options);
  const { keys, stores, redis, alone } = foundation;
  const { db, projectionDb, notifications, log } = stores;
  const { passwordCost, onlyLooks = false } = options;
  const erasures = new ErasureList(config.erasureList);
  const checkpoints = new Checkpoints(projectionDb, alone ? { announcePause: BATCH_DELAY_MS } : {});
  closing(() => checkpoints.close());
  const auth = await openAuthentication(foundation);
  const gateways = openGateways(foundation);
  const caches = openCaches(foundation);
  const instance = instanceOf(config, keys, caches.emojis);
  const federation = federationFor(foundation, { instance, caches, gateways });
  const consistency = readYourWrites(foundation, checkpoints);
  const contextDependencies: ContextDependencies = {
    db,
    instance,
    newId: idGenerator(() => stores.idClock.now()),
    execute: (execution) => execute(log, execution),
    consistency,
    services: createServices(foundation, { ...auth, caches, gateways, federation, erasures, passwordCost }),
  };
  if (!stores.foreign && !onlyLooks) {
    await prepareReadModels(foundation, options);
    await completeTokenDigests(config.role, db, auth.tokenDigests, contexts.systemContext('token-digests'));
  }
  await checkpoints.listen(notifications);
  await checkpoints.refresh();
  await listenForChanges(caches, notifications);
  await federation.keys.listen(notifications);
  await federation.news.listen(notifications);

  const parts = { config, logger, alone, checkpoints, erasures, federation, contextDependencies };
  const roles = rolesOf({ ...stores, ...parts, jobs: gateways.jobs, systemContext: contexts.systemContext });
  return {
    ...stores,
    ...auth,
    ...caches,
    ...contexts,
    ...roles,
    config,
    keys,
    instance,
    checkpoints,
    redis,
    logWitnesses: gateways.logWitnesses,
    logWitness: gateways.logWitness,
    federation,
    contextDependencies,
    beginReading: () => consistency.begin([...new Set(projections.map(({ group }) => group))]),
    detectOtherApiProcesses: () => detectOthers(foundation, consistency),
  };
}

async function openAuthentication(
  foundation: Foundation,
): Promise<Pick<App, 'tokenDigests' | 'authenticator' | 'tokens' | 'users'>> {
  const { keys, logger, stores, contexts } = foundation;
  const tokenDigests = new TokenDigests(keys.master);
  const users = createUsers(stores.db, () => contexts.systemContext('authentication'));
  const authenticator = await createAuthenticator(stores.db, tokenDigests, {
    users,
    notifications: stores.notifications,
    onChangedToken: (token) =>
      logger.error({ token }, 'access token refused: it was changed in the database'),
  });
  const registrations = registrationsFor(foundation);
  const tokens = createTokens(stores.db, authenticator.changed, registrations, tokenDigests);
  return { tokenDigests, authenticator, tokens, users };
}

type Settled = Pick<Foundation, 'config' | 'logger' | 'closing' | 'contexts'>;

/** Opens keys, stores and Redis. */
async function openFoundation(settled: Settled, options: AppOptions): Promise<Foundation> {
  const { config, logger, closing } = settled;
  const { onLost, anyLog = false, restoring = false, background = false } = options;
  const dataDir = resolve(config.dataDir);
  // Before keys are created that differ from those of the backup.
  if (!restoring) await blameSetting('DATA_DIR', refuseBegunRestore(dataDir));
  const keys = await blameSetting('DATA_DIR', loadOrCreateKeys(dataDir, config.secrets));
  const stores = await openStores({
    config,
    keys,
    dataDir,
    logger,
    onLost,
    anyLog,
    restoring,
    background,
    closing,
  });
  const redis = await redisFor(config, keys, logger);
  closing(() => redis?.disconnect());
  // With Redis there are several processes, which share state through it.
  const alone = config.role === 'all' && config.redisUrl === undefined;
  return { ...settled, keys, dataDir, stores, redis, alone };
}

/** Returns the applications of apps; the log contains each before its first use. */
const registrationsFor = ({ stores: { db }, contexts }: Foundation): ReturnType<typeof createRegistrations> =>
  createRegistrations(db, async (registration) => {
    const ctx = contexts.systemContext('applications');
    await ensureApplication(ctx, registration);
    await ctx.waitForReadModels();
  });

const readYourWrites = (
  { config, logger, redis, alone, stores: { log } }: Foundation,
  checkpoints: Checkpoints,
): ReadYourWrites =>
  new ReadYourWrites(checkpoints, {
    timeout: config.readModelTimeoutMs,
    shared:
      redis &&
      openSharedPositions(redis, (error) =>
        logger.warn({ err: error }, 'positions not shared: other processes wait longer for new entries'),
      ),
    head: () => log.head(),
    alone,
  });

/** Builds missing read models, and checks that the server still has the address that they contain. */
async function prepareReadModels(
  { config, logger, stores: { log, db, projectionDb } }: Foundation,
  { onBuild, signal }: AppOptions,
): Promise<void> {
  const report = buildReporter(logger);
  await buildMissing({
    projections,
    log,
    db: projectionDb,
    program: VERSION,
    signal,
    onBuild: (...build) => [report, onBuild].forEach((tell) => tell?.(...build)),
    onOtherTables: (names) =>
      logger.warn({ names }, 'read models rebuilt: their tables changed, and their versions did not'),
  });
  await checkSiteAddress(db, config, logger);
}

const detectOthers = (
  { logger, redis, stores: { db, notifications } }: Foundation,
  consistency: ReadYourWrites,
): Promise<void> =>
  detectOtherApiProcesses({
    db,
    notifications,
    shares: redis !== undefined,
    onUnshared: () => {
      consistency.notAlone();
      logger.warn(UNSHARED);
    },
  });

/**
 * Opens Redis for shared rate limits and positions; nothing essential is only there, so the server runs
 * without it. Loaded only where it is used: the client takes some 20 MB of memory.
 */
async function redisFor(config: Config, { distinction }: Keys, logger: Logger): Promise<Redis | undefined> {
  if (config.redisUrl === undefined) return undefined;
  const { openRedis } = await import('#adapters/redis/client.ts');
  return openRedis(config.redisUrl, distinction, (error) => logger.warn({ err: error }, 'Redis unreachable'));
}
