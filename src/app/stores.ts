import type { Logger } from 'pino';
import { projections } from '../../projections/index.ts';
import { refuseUnfinishedRestore } from '../operations/backup/index.ts';
import { ConfigError, type Config } from '../config/config.ts';
import { createCodec } from '../storage/eventlog/codec.ts';
import { createEventLog } from '../storage/eventlog/event-log.ts';
import { foreignLog } from '../storage/eventlog/identity.ts';
import { openEventStore } from '../storage/eventlog/open.ts';
import type { EventLog, EventStore } from '../storage/eventlog/port.ts';
import { catalogue } from '../events/index.ts';
import { STREAM_NAMES } from '../events/streams.ts';
import { TransparencyLog } from '../operations/transparency-log/index.ts';
import type { Keys } from '../config/keys.ts';
import { outageReporter } from '../config/logger.ts';
import { openDatabase, type Database } from '../storage/postgres/db.ts';
import { erasedSubject } from '../events/erased-subject.ts';
import { giveWay, runInBackground } from '../storage/embedded/background.ts';
import { startEmbeddedPostgres } from '../storage/embedded/embedded.ts';
import { HaltedReadModels } from '../storage/postgres/halted-read-models.ts';
import { migrate } from '../storage/postgres/migrations/index.ts';
import type { Notifications } from '../kernel/listening.ts';
import { openNotifications } from '../storage/postgres/notifications.ts';
import { noteProgram, refuseNewer } from '../storage/postgres/refuse-newer.ts';
import { PostgresSubjectKeys } from '../storage/postgres/subject-keys.ts';
import { blameSetting } from './blame-setting.ts';

const WRONG_KEYS =
  'keys.json (or ROOKERY_KEYS) has another master key than this database: use the key file of this server. After ' +
  '"rookery keys rotate-master", every machine needs the new one.';

/** The database and the log. */
export interface Stores {
  /** The database. */
  url: string;
  db: Database;
  /** For rebuilds and projectors: synchronous_commit off, no statement timeout. */
  projectionDb: Database;
  notifications: Notifications;
  subjectKeys: PostgresSubjectKeys;
  store: EventStore;
  log: EventLog;
  /** The reason why the log does not belong to the read models, if so. */
  foreign: Error | undefined;
  transparencyLog: TransparencyLog;
}

export interface StoresOptions {
  config: Config;
  keys: Keys;
  /** Absolute. */
  dataDir: string;
  logger: Logger;
  /** Called when the embedded Postgres was lost. */
  onLost?: ((reason: Error) => void) | undefined;
  /** Opens a log that does not belong to the read models, too. */
  anyLog: boolean;
  /** Opens an unfinished restore, too. */
  restoring: boolean;
  /** Gives way to other processes on this machine. */
  background?: boolean;
  /** Registers a function to close at the end, the last one first. */
  closing: (close: () => unknown) => void;
}

/**
 * Opens the stores, and migrates the durable tables.
 * @throws Error when the log does not belong to the read models
 */
export async function openStores(options: StoresOptions): Promise<Stores> {
  const { config, keys, anyLog, logger, closing, background = false } = options;
  const url = config.database.url ?? (await embedded(options));
  // Not before: the embedded PostgreSQL, which others may use too, has the priority of the process that starts it.
  if (background) runInBackground();
  const ready = refuseNewer(url, projections).then(() => migrate(url));
  await (config.database.url === undefined ? ready : blameSetting('DATABASE_URL', ready));
  const max = config.database.pool;
  const halted = new HaltedReadModels(projections);
  const { check } = halted;
  const db = openDatabase({ url, max, applicationName: 'rookery api', shortReads: true, check });
  closing(() => db.close());
  await noteProgram(db);
  if (!options.restoring) await refuseUnfinishedRestore(db);
  const subjectKeys = new PostgresSubjectKeys(db, keys.master);
  if (!(await subjectKeys.areReadable())) throw new ConfigError([WRONG_KEYS]);
  const projectionDb = openDatabase({
    url,
    // Eight write a build, and two hold its locks.
    max: 10,
    applicationName: 'rookery projections',
    synchronousCommit: false,
    statementTimeout: 0,
    gather: true,
    ...(background && config.database.url === undefined ? { onBackend: giveWay } : {}),
  });
  closing(() => projectionDb.close());
  const notifications = await openNotifications(url, {
    onOutage: outageReporter(logger, 'database connection lost: reconnecting'),
  });
  closing(() => notifications.close());
  await halted.listen(projectionDb, notifications);
  const opening = openEventStore(url, config.eventStoreUrl, notifications, {
    streams: STREAM_NAMES,
    onOutage: outageReporter(logger, 'event log unreachable: cannot follow it, trying again'),
  });
  const store = await (config.eventStoreUrl === undefined
    ? opening
    : blameSetting('EVENTSTORE_URL', opening));
  await subjectKeys.listen(notifications);
  const log = createEventLog(store, createCodec(catalogue, subjectKeys), STREAM_NAMES);
  closing(() => log.close());
  const foreign = await foreignLog(store, db, config.eventStoreUrl);
  if (foreign && !anyLog) throw foreign;
  const transparencyLog = new TransparencyLog({
    db,
    store,
    origin: config.site.localDomain,
    seed: keys.checkpointSeed,
    checkpointFile: config.transparencyLog.checkpointFile,
    verifyHours: config.transparencyLog.verifyHours,
    erasedSubject,
    onProblem: (problem) => logger.error({ problem }, 'log verification failed: the log was altered'),
  });
  return { url, db, projectionDb, notifications, subjectKeys, store, log, foreign, transparencyLog };
}

async function embedded({ dataDir, logger, onLost, closing }: StoresOptions): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDir, log: logger, ...(onLost ? { onLost } : {}) });
  closing(() => server.stop());
  return server.url;
}
