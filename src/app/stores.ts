import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { createCodec } from '../eventlog/codec.ts';
import { createEventLog } from '../eventlog/event-log.ts';
import type { EventLog, EventStore } from '../eventlog/port.ts';
import { openPostgresEventStore } from '../eventlog/postgres.ts';
import { catalogue } from '../events/index.ts';
import { History } from '../history/index.ts';
import type { Keys } from '../keys.ts';
import { openDatabase, type Database } from '../postgres/db.ts';
import { startEmbeddedPostgres } from '../postgres/embedded.ts';
import { migrate } from '../postgres/migrations/index.ts';
import { openNotifications, type Notifications } from '../postgres/notifications.ts';
import { PostgresSubjectKeys } from '../postgres/subject-keys.ts';

/** The database and the log. */
export interface Stores {
  /** Of the database. */
  url: string;
  db: Database;
  /** For rebuilds and projectors: synchronous_commit off, no statement timeout. */
  projectionDb: Database;
  notifications: Notifications;
  subjectKeys: PostgresSubjectKeys;
  log: EventLog;
  history: History;
}

export interface StoresOptions {
  config: Config;
  keys: Keys;
  /** Absolute. */
  dataDir: string;
  logger: Logger;
  /** Called when the embedded Postgres went away. */
  onLost?: ((reason: Error) => void) | undefined;
  /** Takes what is to be closed in the end, the last one first. */
  closing: (close: () => unknown) => void;
}

/** Opens them, and brings the durable tables to today's form. */
export async function openStores(options: StoresOptions): Promise<Stores> {
  const { config, keys, closing } = options;
  const url = config.database.url ?? (await embedded(options));
  await migrate(url);
  const max = config.database.pool;
  const db = openDatabase({ url, max, applicationName: 'rookery api', shortReads: true });
  closing(() => db.close());
  const projectionDb = openDatabase({
    url,
    max: 6,
    applicationName: 'rookery projections',
    synchronousCommit: false,
    statementTimeout: 0,
    gather: true,
  });
  closing(() => projectionDb.close());
  const notifications = await openNotifications(url);
  closing(() => notifications.close());
  const store = config.eventStoreUrl
    ? await eventStoreDb(config.eventStoreUrl)
    : await openPostgresEventStore(url, notifications);
  const subjectKeys = new PostgresSubjectKeys(db, keys.master);
  await subjectKeys.listen(notifications);
  const log = createEventLog(store, createCodec(catalogue, subjectKeys));
  closing(() => log.close());
  const history = new History({ db, store, origin: config.site.localDomain, seed: keys.checkpointSeed });
  return { url, db, projectionDb, notifications, subjectKeys, log, history };
}

async function embedded({ dataDir, logger, onLost, closing }: StoresOptions): Promise<string> {
  const server = await startEmbeddedPostgres({ dataDir, log: logger, ...(onLost ? { onLost } : {}) });
  closing(() => server.stop());
  return server.url;
}

/** Loaded only where it is used: the client takes some 20 MB of memory. */
const eventStoreDb = async (url: string): Promise<EventStore> =>
  (await import('../eventlog/eventstoredb.ts')).openEventStoreDb(url);
