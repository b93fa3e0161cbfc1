import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { canonicalEmail } from '../../commands/accounts/index.ts';
import { ensureApplication } from '../../commands/apps/index.ts';
import { projections } from '../../projections/index.ts';
import { IpAccessBlockCache } from '../adapters/caches/ip-access-blocks.ts';
import { CustomEmojiCache } from '../adapters/caches/custom-emojis.ts';
import { RemoteAccounts } from '../adapters/caches/remote-accounts.ts';
import { findKnown } from '../../queries/search/index.ts';
import { blameSetting } from './blame-setting.ts';
import { BATCH_DELAY_MS, rolesOf, type Roles } from './roles.ts';
import { remoteMediaFor } from './remote-media.ts';
import { checkSiteAddress } from './site-address.ts';
import { openStores, type Stores, type StoresOptions } from './stores.ts';
import { createArchives } from '../adapters/account-archive/archives.ts';
import { createAsyncRefreshes } from '../adapters/async-refreshes.ts';
import { ErasureList, refuseBegunRestore } from '../operations/backup/index.ts';
import type { OnBuild } from './maintenance-listener.ts';
import type { Config } from '../config/config.ts';
import { DeviceDeliveries } from '../adapters/device-messages/deliveries.ts';
import { createDeviceMessages } from '../adapters/device-messages/device-messages.ts';
import { messageFranking } from '../adapters/device-messages/franking.ts';
import { addressDigests, emailDigests } from '../adapters/email-digest.ts';
import { deriveId, execute } from '../storage/eventlog/execute.ts';
import { createFederation, INBOX_JOB, type Federation } from '../interfaces/federation/index.ts';
import {
  type CommandContext,
  Context,
  type ContextDependencies,
  type Instance,
  type RequestContext,
  type Viewer,
} from '../kernel/context.ts';
import { StoredCommands } from '../interfaces/http/stored-commands.ts';
import { closeAll } from '../kernel/close-all.ts';
import { idGenerator } from '../kernel/ids.ts';
import { instanceOf } from './instance.ts';
import { createImports } from '../adapters/imports.ts';
import { createJobs } from '../adapters/jobs/jobs.ts';
import { loadOrCreateKeys, type Keys } from '../config/keys.ts';
import { buildReporter } from '../config/logger.ts';
import { boundedMailer, mailerFor } from '../adapters/mail/index.ts';
import { removeWrittenMails } from '../adapters/mail/written.ts';
import { images } from '../adapters/media/image-service.ts';
import { mediaProcessor } from '../adapters/media/lazy-processor.ts';
import { mediaStoreFor } from '../adapters/media/open-store.ts';
import { createAuthenticator, type Authenticator } from '../interfaces/oauth/authenticate.ts';
import { createCredentials } from '../interfaces/oauth/credentials.ts';
import { createRegistrations } from '../interfaces/oauth/registrations.ts';
import { createTokens, type TokenStore } from '../interfaces/oauth/tokens.ts';
import { lazyHttpClient } from '../adapters/outbound-http/index.ts';
import type { PasswordCost } from '../adapters/passwords.ts';
import { secretBox } from '../adapters/push/secrets.ts';
import { createPushSender } from '../adapters/push/sender.ts';
import { createPushSubscriptions } from '../adapters/push/subscriptions.ts';
import { createPersonalData } from '../adapters/personal-data.ts';
import { openSharedPositions } from '../adapters/redis/positions.ts';
import { Checkpoints } from '../storage/postgres/checkpoints.ts';
import { detectOtherApiProcesses } from '../storage/postgres/detect-other-api-processes.ts';
import { buildMissing } from '../storage/postgres/projector.ts';
import { ReadYourWrites } from '../storage/postgres/read-your-writes.ts';
import { createRefusedSignUps } from '../adapters/refused-sign-ups.ts';
import { createSoftwareVersions } from '../adapters/software-versions.ts';
import { openTranslator } from '../adapters/translation/index.ts';
import { VERSION } from '../config/version.ts';

const UNSHARED =
  'another process serves the API on this database, and without REDIS_URL in both of them each counts rate limits by itself, ' +
  'and a client may not find at once in one of them what it wrote through the other';

/** The assembled parts of a running Rookery. The server and the command line both start here. */
export interface App extends Pick<Stores, 'db' | 'projectionDb' | 'log' | 'transparencyLog'>, Roles {
  config: Config;
  keys: Keys;
  instance: Instance;
  checkpoints: Checkpoints;
  redis: Redis | undefined;
  authenticator: Authenticator;
  tokens: TokenStore;
  federation: Federation;
  contextDependencies: ContextDependencies;
  /** The addresses whose requests are all refused. */
  ipAccessBlocks: IpAccessBlockCache;
  deviceDeliveries: DeviceDeliveries;
  /** Stored commands whose client was told 503. */
  storedCommands: StoredCommands;
  /**
   * Returns a context for work without a request, such as the operator's command line. `rule` names it in the
   * log.
   */
  systemContext(rule: string): CommandContext;
  /** Returns a context for a page opened without a token; in the name of the signed-in user, if given. */
  pageContext(ip: string, viewer?: Viewer, locale?: string): RequestContext;
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
  /** The cost of password hashes, if not the usual one. */
  passwordCost?: PasswordCost;
}

/** Opens everything but the HTTP server. Migrates databases, creates keys, and builds missing read models. */
export async function openApp(config: Config, logger: Logger, options: AppOptions = {}): Promise<App> {
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
  { onLost, anyLog = false, restoring = false, onBuild, signal, onlyLooks = false, passwordCost }: AppOptions,
  closing: StoresOptions['closing'],
): Promise<Omit<App, 'close'>> {
  const dataDir = resolve(config.dataDir);
  // Before keys are created that differ from those of the backup.
  if (!restoring) await blameSetting('DATA_DIR', refuseBegunRestore(dataDir));
  const keys = await blameSetting('DATA_DIR', loadOrCreateKeys(dataDir, config.secrets));
  const stores = await openStores({ config, keys, dataDir, logger, onLost, anyLog, restoring, closing });
  const { url, db, projectionDb, notifications, subjectKeys, log, transparencyLog } = stores;
  const erasures = new ErasureList(config.erasureList);
  // With Redis there are several processes, which share state through it.
  const alone = config.role === 'all' && config.redisUrl === undefined;
  const checkpoints = new Checkpoints(projectionDb, alone ? { announcePause: BATCH_DELAY_MS } : {});
  closing(() => checkpoints.close());
  const authenticator = await createAuthenticator(db, { notifications });
  const registrations = createRegistrations(db, async (registration) => {
    const ctx = systemContext('applications');
    await ensureApplication(ctx, registration);
    await ctx.waitForReadModels();
  });
  const tokens = createTokens(db, authenticator.changed, registrations);
  const emailDigest = emailDigests(keys.master);
  const mailer = boundedMailer(mailerFor(config, dataDir, logger), {
    db,
    digest: (address) => emailDigest(canonicalEmail(address)),
  });
  closing(() => mailer.close());

  const userAgent = `Rookery/${VERSION} (+${config.site.origin}/)`;
  const http = lazyHttpClient({
    allowedPrivateAddresses: config.federation.allowedPrivateAddresses,
    userAgent,
  });
  closing(() => http.close());
  const translator = config.translation && openTranslator(config.translation, userAgent);
  closing(() => translator?.close());

  const redis = await redisFor(config, keys, logger);
  closing(() => redis?.disconnect());

  const emojis = new CustomEmojiCache(db);
  closing(() => emojis.close());
  const deviceDeliveries = new DeviceDeliveries();
  const ipAccessBlocks = new IpAccessBlockCache(db);
  closing(() => ipAccessBlocks.close());
  const storedCommands = new StoredCommands(db);
  const instance = instanceOf(config, keys, emojis);
  const jobs = createJobs({
    db,
    url,
    onError: (error, job) => logger.warn({ err: error, job }, 'a job failed'),
  });
  closing(() => jobs.close());
  const media = mediaStoreFor({ dataDir, s3: config.media.s3 });
  closing(() => media.close());
  const remoteMedia = remoteMediaFor({
    db,
    http,
    media,
    dataDir,
    config: config.media,
    context: () => systemContext('remote-media'),
    onError: (error) => logger.warn({ err: error }, 'a file of another server was not looked after'),
  });
  const archives = createArchives({ db, dataDir, s3: config.media.s3, master: keys.master });
  closing(() => archives.close());
  const pushSecrets = secretBox(keys.master);
  const pushSubscriptions = createPushSubscriptions(db, pushSecrets);
  closing(() => pushSubscriptions.close());
  const remoteAccounts = new RemoteAccounts(db);
  closing(() => remoteAccounts.close());
  const federation = createFederation({
    db,
    http,
    instance,
    remoteAccounts,
    receiptDays: config.federation.receiptDays,
    leaseSeconds: config.federation.leaseSeconds,
    masterKey: keys.master,
    instanceKey: keys.instance,
    known: (query) => findKnown(db, instance, query),
    context: () => systemContext('federation'),
    commandContext: (command) =>
      new Context(contextDependencies, {
        requestId: randomUUID(),
        ip: '',
        locale: undefined,
        rule: INBOX_JOB,
        ...command,
      }),
    commandId: deriveId,
    onRefusal: (error) => logger.info({ err: error }, 'another server was not believed or not reached'),
    onError: (error) => logger.warn({ err: error }, 'deliveries to other servers failed here; they go on'),
  });
  const consistency = new ReadYourWrites(checkpoints, {
    timeout: config.readModelTimeoutMs,
    shared:
      redis && openSharedPositions(redis, (error) => logger.warn({ err: error }, 'positions are not shared')),
    head: () => log.head(),
    alone,
  });
  const contextDependencies: ContextDependencies = {
    db,
    instance,
    newId: idGenerator(),
    execute: (execution) => execute(log, execution),
    consistency,
    services: {
      mailer,
      credentials: createCredentials(db, passwordCost),
      tokens,
      deviceMessages: createDeviceMessages(db, messageFranking(keys.master)),
      pushSubscriptions,
      pushSender: createPushSender({
        http,
        box: pushSecrets,
        vapid: keys.vapid,
        // Push services accept no other scheme (RFC 8292 section 2.1).
        subject: config.site.https ? config.site.origin : `mailto:admin@${config.site.localDomain}`,
      }),
      media,
      mediaProcessor: mediaProcessor({ store: media, programs: config.media.programs }),
      remoteMedia,
      jobs,
      imports: createImports(db),
      archives,
      resolver: federation.resolver,
      actorKeys: federation.keys,
      deliveries: federation.deliveries,
      asyncRefreshes: createAsyncRefreshes(db),
      images,
      http,
      translator,
      emailDigest,
      addressDigest: addressDigests(keys.master),
      refusedSignUps: createRefusedSignUps(db),
      personalData: createPersonalData({
        db,
        destroy: erasures.before((subject) => subjectKeys.destroy(subject)),
        removeMails: (addresses) => removeWrittenMails(dataDir, addresses),
        removeArchive: (accountId) => archives.removeOf(accountId),
      }),
      softwareVersions: createSoftwareVersions({
        mediaFolder: config.media.s3 ? undefined : join(dataDir, 'media'),
        redis,
      }),
      transparencyLog,
    },
  };
  const systemContext = (rule: string): CommandContext =>
    new Context(contextDependencies, { requestId: randomUUID(), ip: '', locale: undefined, rule });
  const report = buildReporter(logger);
  if (!stores.foreign && !onlyLooks) {
    await buildMissing({
      projections,
      log,
      db: projectionDb,
      program: VERSION,
      signal,
      onBuild: (...build) => [report, onBuild].forEach((tell) => tell?.(...build)),
    });
  }
  if (!stores.foreign && !onlyLooks) await checkSiteAddress(db, config, logger);
  await checkpoints.listen(notifications);
  await checkpoints.refresh();
  await emojis.listen(notifications);
  await ipAccessBlocks.listen(notifications);
  await storedCommands.listen(notifications);
  await pushSubscriptions.listen(notifications);
  await remoteAccounts.listen(notifications);
  await deviceDeliveries.listen(notifications);
  await federation.keys.listen(notifications);

  return {
    config,
    keys,
    instance,
    db,
    projectionDb,
    log,
    transparencyLog,
    checkpoints,
    redis,
    authenticator,
    tokens,
    federation,
    contextDependencies,
    ipAccessBlocks,
    deviceDeliveries,
    storedCommands,
    systemContext,
    pageContext: (ip, viewer, locale) =>
      new Context(contextDependencies, { requestId: randomUUID(), ip, locale, viewer }),
    beginReading: () => consistency.begin([...new Set(projections.map(({ group }) => group))]),
    detectOtherApiProcesses: () =>
      detectOtherApiProcesses({
        db,
        notifications,
        shares: redis !== undefined,
        onUnshared: () => {
          consistency.notAlone();
          logger.warn(UNSHARED);
        },
      }),
    ...rolesOf({
      ...stores,
      config,
      logger,
      alone,
      checkpoints,
      erasures,
      jobs,
      federation,
      contextDependencies,
      systemContext,
    }),
  };
}

/**
 * Opens Redis for shared rate limits and positions; nothing essential is only there, so the server runs
 * without it. Loaded only where it is used: the client takes some 20 MB of memory.
 */
async function redisFor(config: Config, { distinction }: Keys, logger: Logger): Promise<Redis | undefined> {
  if (config.redisUrl === undefined) return undefined;
  const { openRedis } = await import('../adapters/redis/client.ts');
  return openRedis(config.redisUrl, distinction, (error) =>
    logger.warn({ err: error }, 'Redis cannot be reached'),
  );
}
