import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { projections } from '../projections/index.ts';
import { ShutOut } from '../queries/admin-ip-blocks/index.ts';
import { CustomEmojiCache } from '../queries/custom-emojis/index.ts';
import { RemoteAccounts } from '../queries/federation/index.ts';
import { findKnown } from '../queries/search/index.ts';
import { createAsyncRefreshes } from './async-refreshes.ts';
import { ErasureList, refuseUnfinishedRestore } from './backup/index.ts';
import { reportBuild, type OnBuild } from './building.ts';
import type { Config } from './config.ts';
import { createEncryptedMail } from './crypto/encrypted-mail.ts';
import { messageFranking } from './crypto/franking.ts';
import { addressDigests, emailDigests } from './email-digest.ts';
import { createCodec } from './eventlog/codec.ts';
import { createEventLog } from './eventlog/event-log.ts';
import { deriveId, execute } from './eventlog/execute.ts';
import type { EventLog, EventStore } from './eventlog/port.ts';
import { openPostgresEventStore } from './eventlog/postgres.ts';
import { catalogue } from './events/index.ts';
import { createFederation, INBOX_JOB, INBOX_RUNNING, type Federation } from './federation/index.ts';
import { Context, type ContextDependencies } from './http/context.ts';
import type { CommandContext, Instance } from './kernel/context.ts';
import { HOME, MAIN, NOTIFICATIONS, SEARCH } from './kernel/projection.ts';
import { History } from './history/index.ts';
import { idGenerator } from './kernel/ids.ts';
import { instanceOf } from './instance.ts';
import { createJobs } from './jobs/jobs.ts';
import { loadOrCreateKeys, type Keys } from './keys.ts';
import { mailerFor } from './mail/index.ts';
import { removeWrittenMails } from './mail/written.ts';
import { mediaProcessor } from './media/lazy-processor.ts';
import { mediaStoreFor } from './media/open-store.ts';
import { createAuthenticator, type Authenticator } from './oauth/authenticate.ts';
import { createCredentials } from './oauth/credentials.ts';
import { createTokens, type TokenStore } from './oauth/tokens.ts';
import { lazyHttpClient } from './net/index.ts';
import { secretBox } from './push/secrets.ts';
import { createPushSender } from './push/sender.ts';
import { createPushSubscriptions } from './push/subscriptions.ts';
import { createPersonalData } from './personal-data.ts';
import { openSharedPositions } from './redis/positions.ts';
import { Checkpoints } from './postgres/checkpoints.ts';
import { openDatabase, type Database } from './postgres/db.ts';
import { startEmbeddedPostgres } from './postgres/embedded.ts';
import { migrate } from './postgres/migrations/index.ts';
import { openNotifications } from './postgres/notifications.ts';
import { buildMissing, startProjector, type Projector } from './postgres/projector.ts';
import { PositionSettler, settleFrom } from './postgres/settler.ts';
import { PostgresSubjectKeys } from './postgres/subject-keys.ts';
import { jobHandlers, reactors, timers } from './reactors/index.ts';
import { createRefusedSignUps } from './refused-sign-ups.ts';
import { createStack } from './stack.ts';
import { openTranslator } from './translation/index.ts';
import { VERSION } from './version.ts';
import type { Origin } from './reactors/runtime/attempt.ts';
import { startReactors, type RunningReactors } from './reactors/runtime/start.ts';

/** Milliseconds that read models may lag behind a stream of events while nobody waits for them. */
const LINGER = 40;
/** The same for what is found by search: posts come in together a few times per second, however they are posted. */
const SEARCH_LINGER = 250;

/** The parts of a running Rookery, put together. The server and the command line both start from here. */
export interface App {
  config: Config;
  keys: Keys;
  instance: Instance;
  db: Database;
  /** For rebuilds and projectors: synchronous_commit off, no statement timeout. */
  projectionDb: Database;
  log: EventLog;
  history: History;
  checkpoints: Checkpoints;
  redis: Redis | undefined;
  authenticator: Authenticator;
  tokens: TokenStore;
  federation: Federation;
  contextDependencies: ContextDependencies;
  /** Whose requests are refused, all of them. */
  shutOut: ShutOut;
  /** A context for what no request asked for, such as the operator's command line. `rule` names it in the log. */
  systemContext(rule: string): CommandContext;
  /** A context for a page that somebody opens without a token. */
  pageContext(ip: string): CommandContext;
  /** Follows the log into the read models in this process. */
  startProjector(): Promise<Projector>;
  /** Runs the reactors, timers and jobs in this process, or takes over from the one that does. */
  startReactors(): Promise<RunningReactors>;
  close(): Promise<void>;
}

export interface AppOptions {
  /** Called when the embedded Postgres went away; the process should end. */
  onLost?: (reason: Error) => void;
  /** A restore may look at what it has not finished. */
  restoring?: boolean;
  /** Told how far the build of read models is that this version needs, before anything else may happen. */
  onBuild?: OnBuild;
  /** Does not build what is missing: for who only looks at how far others are. */
  onlyLooks?: boolean;
}

/** Opens everything but the HTTP server. Databases are migrated, keys made, read models created where missing. */
export async function openApp(config: Config, logger: Logger, options: AppOptions = {}): Promise<App> {
  const closers: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return await assemble(config, logger, options, closers, closeAll);
  } catch (error) {
    await closeAll().catch(() => undefined);
    throw error;
  }
}

async function assemble(
  config: Config,
  logger: Logger,
  { onLost, restoring = false, onBuild, onlyLooks = false }: AppOptions,
  closers: (() => unknown)[],
  close: () => Promise<void>,
): Promise<App> {
  const dataDir = resolve(config.dataDir);
  const keys = await loadOrCreateKeys(dataDir, config.secrets);
  const url = config.database.url ?? (await embedded(dataDir, logger, onLost, closers));
  await migrate(url);
  const max = config.database.pool;
  const db = openDatabase({ url, max, applicationName: 'rookery api', shortReads: true });
  closers.push(() => db.close());
  if (!restoring) await refuseUnfinishedRestore(db);
  const projectionDb = openDatabase({
    url,
    max: 6,
    applicationName: 'rookery projections',
    synchronousCommit: false,
    statementTimeout: 0,
    gather: true,
  });
  closers.push(() => projectionDb.close());
  const notifications = await openNotifications(url);
  closers.push(() => notifications.close());
  const store = config.eventStoreUrl
    ? await eventStoreDb(config.eventStoreUrl)
    : await openPostgresEventStore(url, notifications);
  const subjectKeys = new PostgresSubjectKeys(db, keys.master);
  await subjectKeys.listen(notifications);
  const erasures = new ErasureList(config.erasureList);
  const log = createEventLog(store, createCodec(catalogue, subjectKeys));
  closers.push(() => log.close());
  const history = new History({
    ...{ db, store },
    origin: config.site.localDomain,
    seed: keys.checkpointSeed,
  });
  // With Redis there are several processes, and it shares what they have to know.
  const alone = config.role === 'all' && config.redisUrl === undefined;
  const checkpoints = new Checkpoints(projectionDb, alone ? { announcePause: LINGER } : {});
  closers.push(() => checkpoints.close());
  const authenticator = await createAuthenticator(db, { notifications });
  const tokens = createTokens(db, authenticator.changed);
  const mailer = mailerFor(config, dataDir, logger);
  closers.push(() => mailer.close());

  const userAgent = `Rookery/${VERSION} (+${config.site.origin}/)`;
  const http = lazyHttpClient({
    allowedPrivateAddresses: config.federation.allowedPrivateAddresses,
    userAgent,
  });
  closers.push(() => http.close());
  const translator = config.translation && openTranslator(config.translation, userAgent);
  closers.push(() => translator?.close());

  const redis = await redisFor(config, logger, closers);

  const emojis = new CustomEmojiCache(db);
  closers.push(() => emojis.close());
  const shutOut = new ShutOut(db);
  closers.push(() => shutOut.close());
  const instance = instanceOf(config, keys, emojis);
  const jobs = createJobs({
    ...{ db, url },
    onError: (error, job) => logger.warn({ err: error, job }, 'a job failed'),
  });
  closers.push(() => jobs.close());
  const media = mediaStoreFor({ dataDir, s3: config.media.s3 });
  closers.push(() => media.close());
  const pushSecrets = secretBox(keys.master);
  const pushSubscriptions = createPushSubscriptions(db, pushSecrets);
  closers.push(() => pushSubscriptions.close());
  const remoteAccounts = new RemoteAccounts(db);
  closers.push(() => remoteAccounts.close());
  const federation = createFederation({
    ...{ db, http, instance, remoteAccounts },
    ...{ receiptDays: config.federation.receiptDays, leaseSeconds: config.federation.leaseSeconds },
    masterKey: keys.master,
    instanceKey: keys.instance,
    known: (query) => findKnown(db, instance, query),
    context: () => systemContext('federation'),
    commandContext: (command) =>
      new Context(contextDependencies, {
        ...{ requestId: randomUUID(), ip: '', locale: undefined, rule: INBOX_JOB },
        ...command,
      }),
    commandId: deriveId,
    onRefusal: (error) => logger.info({ err: error }, 'another server was not believed or not reached'),
    onError: (error) => logger.warn({ err: error }, 'deliveries to other servers failed here; they go on'),
  });
  const contextDependencies: ContextDependencies = {
    db,
    instance,
    newId: idGenerator(),
    execute: (execution) => execute(log, execution),
    settler: new PositionSettler(checkpoints, {
      timeout: config.settleTimeoutMs,
      shared:
        redis &&
        openSharedPositions(redis, (error) => logger.warn({ err: error }, 'positions are not shared')),
      alone,
    }),
    services: {
      mailer,
      credentials: createCredentials(db),
      tokens,
      encryptedMail: createEncryptedMail(db, messageFranking(keys.master)),
      pushSubscriptions,
      pushSender: createPushSender({
        ...{ http, box: pushSecrets, vapid: keys.vapid },
        // Push services take no other scheme (RFC 8292 section 2.1).
        subject: config.site.https ? config.site.origin : `mailto:admin@${config.site.localDomain}`,
      }),
      media,
      mediaProcessor: mediaProcessor({ store: media, programs: config.media.programs }),
      jobs,
      resolver: federation.resolver,
      actorKeys: federation.keys,
      deliveries: federation.deliveries,
      asyncRefreshes: createAsyncRefreshes(db),
      images: {
        processProfileImage: async (...image) => (await images()).processProfileImage(...image),
        processEmoji: async (file) => (await import('./media/emoji-image.ts')).processEmoji(file),
        processBanner: async (file) => (await serverImages()).processBanner(file),
        processIcon: async (file) => (await serverImages()).processIcon(file),
      },
      http,
      translator,
      emailDigest: emailDigests(keys.master),
      addressDigest: addressDigests(keys.master),
      refusedSignUps: createRefusedSignUps(db),
      personalData: createPersonalData({
        db,
        destroy: erasures.before((subject) => subjectKeys.destroy(subject)),
        removeMails: (addresses) => removeWrittenMails(dataDir, addresses),
      }),
      stack: createStack({
        mediaFolder: config.media.s3 ? undefined : join(dataDir, 'media'),
        redis,
      }),
      history,
    },
  };
  const systemContext = (rule: string): CommandContext =>
    new Context(contextDependencies, { requestId: randomUUID(), ip: '', locale: undefined, rule });
  /** A context for what follows from an event or comes due. */
  const contextFor = ({ rule, cause, correlationId, causationId, position }: Origin): CommandContext => {
    const commandId = deriveId(`reaction/${rule}/${cause}`);
    return new Context(
      { ...contextDependencies, settler: settleFrom(checkpoints, config.settleTimeoutMs, position) },
      { requestId: correlationId ?? commandId, ip: '', locale: undefined, rule, commandId, causationId },
    );
  };
  const report = reportBuild(logger);
  if (!onlyLooks) {
    await buildMissing({
      ...{ projections, log, db: projectionDb },
      onBuild: (...build) => [report, onBuild].forEach((tell) => tell?.(...build)),
    });
  }
  await checkpoints.listen(notifications);
  await checkpoints.refresh();
  await emojis.listen(notifications);
  await shutOut.listen(notifications);
  await pushSubscriptions.listen(notifications);
  await remoteAccounts.listen(notifications);

  return {
    config,
    keys,
    instance,
    db,
    projectionDb,
    log,
    history,
    checkpoints,
    redis,
    authenticator,
    tokens,
    federation,
    contextDependencies,
    shutOut,
    systemContext,
    pageContext: (ip) => new Context(contextDependencies, { requestId: randomUUID(), ip, locale: undefined }),
    startProjector: () =>
      startProjector({
        projections,
        log,
        ...{ db: projectionDb, checkpoints, notifications },
        // Who waits in another process does not end a pause, and most wait for MAIN.
        linger: {
          [MAIN]: alone ? LINGER : 0,
          [HOME]: LINGER,
          [NOTIFICATIONS]: LINGER,
          [SEARCH]: SEARCH_LINGER,
        },
        patient: [SEARCH],
        onFailure: (failure) =>
          logger.error({ failure }, 'a projection cannot take an event and stands still'),
        onError: (error) => logger.error({ err: error }, 'a projection runner failed; it tries again'),
      }),
    startReactors: async () => {
      await erasures.complete(db);
      for (const { name, work, running } of jobHandlers) {
        jobs.work(name, (data, run) => work(systemContext(name), data, run), { running });
      }
      jobs.work(INBOX_JOB, federation.perform, { running: INBOX_RUNNING });
      await jobs.start();
      await federation.deliveries.start();
      const running = await startReactors({
        reactors,
        timers,
        url,
        log,
        db,
        checkpointDb: projectionDb,
        contextFor,
        services: contextDependencies.services,
        reached: async (groups, position) => {
          const all = groups.map(async (group) =>
            checkpoints.reached(group, position, config.settleTimeoutMs),
          );
          return (await Promise.all(all)).every(Boolean);
        },
        onError: (error) => logger.error({ err: error }, 'a reactor or timer failed; it tries again'),
        onSetAside: (reactor, { id, type }, error) =>
          logger.error({ err: error, reactor, event: id, type }, 'a reactor cannot take an event'),
      });
      return {
        ...running,
        stop: async () => {
          history.interrupt();
          await running.stop();
          await federation.deliveries.stop();
          await history
            .recordLast()
            .catch((error: unknown) => logger.warn({ err: error }, 'no last checkpoint was made'));
          await jobs.close();
        },
      };
    },
    close,
  };
}

/** With its decoders loaded when the first picture comes: an idle server does without their memory. */
const images = () => import('./media/images.ts');
const serverImages = () => import('./media/server-images.ts');

async function embedded(
  dataDir: string,
  logger: Logger,
  onLost: AppOptions['onLost'],
  closers: (() => unknown)[],
): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDir, log: logger, ...(onLost ? { onLost } : {}) });
  closers.push(() => server.stop());
  return server.url;
}

/** Shared rate limits and positions; nothing that matters lives only there, so its absence is no reason to stop. */
// Loaded only where they are used: each of the two clients takes some 20 MB of memory.
const eventStoreDb = async (url: string): Promise<EventStore> =>
  (await import('./eventlog/eventstoredb.ts')).openEventStoreDb(url);

async function redisFor(
  config: Config,
  logger: Logger,
  closers: (() => unknown)[],
): Promise<Redis | undefined> {
  if (config.redisUrl === undefined) return undefined;
  const { openRedis } = await import('./redis/client.ts');
  const redis = openRedis(config.redisUrl, (error) => logger.warn({ err: error }, 'Redis cannot be reached'));
  closers.push(() => redis.disconnect());
  return redis;
}
