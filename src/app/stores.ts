import type { Logger } from 'pino';
import type { Config } from '#config/config.ts';
import type { Keys } from '#config/keys.ts';
import { outageReporter } from '#config/logger.ts';
import { erasedSubject } from '#events/erased-subject.ts';
import { catalogue } from '#events/index.ts';
import { isPublicEvent } from '#events/public-events.ts';
import { STREAM_NAMES } from '#events/streams.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { Notifications } from '#kernel/listening.ts';
import { type SteadyClock, steadyClock } from '#kernel/steady-clock.ts';
import { refuseUnfinishedRestore } from '#operations/backup/index.ts';
import { TransparencyLog, type TransparencyLogDependencies } from '#operations/transparency-log/index.ts';
import { projections } from '#projections/index.ts';
import { giveWay, runInBackground } from '#storage/embedded/background.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded.ts';
import { createCodec, damagedAmong, isEncoded } from '#storage/eventlog/codec.ts';
import { createEventLog } from '#storage/eventlog/event-log.ts';
import { noteForeignStream } from '#storage/eventlog/foreign-streams.ts';
import { foreignLog } from '#storage/eventlog/identity.ts';
import { newestMoment } from '#storage/eventlog/newest-moment.ts';
import { openEventStore } from '#storage/eventlog/open.ts';
import type { EventLog, EventStore, ForeignEvent } from '#storage/eventlog/port.ts';
import { DamagedEvents, replaceDamage } from '#storage/postgres/damaged-events.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { migrate } from '#storage/postgres/migrations/index.ts';
import { openNotifications } from '#storage/postgres/notifications.ts';
import { HaltedReadModels } from '#storage/postgres/projector/halted-read-models.ts';
import { noteProgram, refuseNewer } from '#storage/postgres/refuse-newer.ts';
import { PostgresSubjectKeys, WRONG_KEYS } from '#storage/postgres/subject-keys.ts';
import { blameSetting } from './blame-setting.ts';

/** The database and the log. */
export interface Stores {
  /** The database. */
  url: string;
  db: Database;
  /** For rebuilds and projectors: synchronous_commit off, no statement timeout. */
  projectionDb: Database;
  /** The read models whose tables are refused. */
  halted: HaltedReadModels;
  notifications: Notifications;
  subjectKeys: PostgresSubjectKeys;
  damagedEvents: DamagedEvents;
  store: EventStore;
  log: EventLog;
  /** The reason why the log does not belong to the read models, if so. */
  foreign: Error | undefined;
  transparencyLog: TransparencyLog;
  /** The time of new ids, which are larger than all of the log also after the clock was set back. */
  idClock: SteadyClock;
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
  if (!(await subjectKeys.areReadable())) throw new RookeryError('conflict', WRONG_KEYS);
  const projectionDb = openProjectionDb(url, options);
  const notifications = await openNotifications(url, {
    onOutage: outageReporter(logger, 'database connection lost: reconnecting'),
  });
  closing(() => notifications.close());
  await halted.listen(projectionDb, notifications);
  const opening = openEventStore(url, config.eventStoreUrl, notifications, {
    streams: STREAM_NAMES,
    isMarked: isEncoded,
    onForeign: foreignReporter(logger, db),
    onOutage: outageReporter(logger, 'event log unreachable: cannot follow it, trying again'),
  });
  const store = await (config.eventStoreUrl === undefined
    ? opening
    : blameSetting('EVENTSTORE_URL', opening));
  await subjectKeys.listen(notifications);
  const damagedEvents = new DamagedEvents(db, logger);
  const log = createEventLog(store, codecOf(subjectKeys, damagedEvents), STREAM_NAMES);
  closing(() => log.close());
  const foreign = await foreignLog(store, db, config.eventStoreUrl);
  if (foreign && !anyLog) throw foreign;
  const idClock = steadyClock(Date.now, (await newestMoment(store)) + 1);
  const transparencyLog = new TransparencyLog({
    db,
    store,
    origin: config.site.localDomain,
    seed: keys.checkpointSeed,
    checkpointFile: config.transparencyLog.checkpointFile,
    verifyHours: config.transparencyLog.verifyHours,
    erasedSubject,
    isPublic: isPublicEvent,
    ...damageOf(db, subjectKeys),
    onProblem: (problem) => logger.error({ problem }, 'log verification failed: the log was altered'),
  });
  const opened = { url, db, projectionDb, halted, notifications, subjectKeys, damagedEvents };
  return { ...opened, store, log, foreign, transparencyLog, idClock };
}

function openProjectionDb(url: string, { config, closing, background = false }: StoresOptions): Database {
  const db = openDatabase({
    url,
    // Eight write a build, and two hold its locks.
    max: 10,
    applicationName: 'rookery projections',
    synchronousCommit: false,
    statementTimeout: 0,
    gather: true,
    ...(background && config.database.url === undefined ? { onBackend: giveWay } : {}),
  });
  closing(() => db.close());
  return db;
}

/** Logs and notes that another program writes to a stream with a name of this program. */
const foreignReporter =
  (logger: Logger, db: Database) =>
  (event: ForeignEvent): void => {
    const fields = { ...event, position: String(event.position) };
    logger.warn(fields, 'event log has an event of another program: left out');
    noteForeignStream(db, event).catch((error: unknown) =>
      logger.warn({ err: error }, 'stream of another program was not noted'),
    );
  };

const codecOf = (keys: PostgresSubjectKeys, damaged: DamagedEvents): ReturnType<typeof createCodec> =>
  createCodec(catalogue, keys, { onDamaged: (events) => damaged.note(events) });

/** Finds and stores damaged events for verifications of the log. */
const damageOf = (
  db: Database,
  keys: PostgresSubjectKeys,
): Pick<TransparencyLogDependencies, 'damagedAmong' | 'onDamage'> => ({
  damagedAmong: (events) => damagedAmong(events, keys),
  onDamage: (found, position) => replaceDamage(db, found, position),
});

async function embedded({ dataDir, logger, onLost, closing }: StoresOptions): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDir, log: logger, ...(onLost ? { onLost } : {}) });
  closing(() => server.stop());
  return server.url;
}
