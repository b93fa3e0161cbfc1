import { LRUCache } from 'lru-cache';
import { CustomEmojiCache } from '#adapters/caches/custom-emojis.ts';
import { IpAccessBlockCache } from '#adapters/caches/ip-access-blocks.ts';
import { mediaStoreFor } from '#adapters/media/open-store.ts';
import type { Config } from '#config/config.ts';
import { loadOrCreateKeys } from '#config/keys.ts';
import type { Authenticated } from '#interfaces/http/caller.ts';
import { type Authenticator, createAuthenticator } from '#interfaces/oauth/authenticate.ts';
import { TokenDigests } from '#interfaces/oauth/token-digest.ts';
import { closeAll } from '#kernel/close-all.ts';
import type { ContextDependencies, Instance } from '#kernel/context.ts';
import { forbidden, notFound } from '#kernel/errors.ts';
import { type Id, idGenerator } from '#kernel/ids.ts';
import { atMost } from '#kernel/lru.ts';
import { NEVER_WAITS } from '#kernel/own-writes.ts';
import { type Db, type Statement, statement } from '#kernel/read.ts';
import type { Resolver } from '#kernel/services/federation.ts';
import type { RemoteMediaCache } from '#kernel/services/remote-media.ts';
import { projections } from '#projections/index.ts';
import { shownFile } from '#queries/federation/index.ts';
import { findKnown } from '#queries/search/index.ts';
import { type Database, openDatabase } from '#storage/postgres/db.ts';
import { openNotifications } from '#storage/postgres/notifications.ts';
import { asOfSettings } from '#storage/postgres/rebuild/as-of.ts';
import { leaseAsOf } from '#storage/postgres/rebuild/as-of-lease.ts';
import { instanceOf } from '../instance.ts';
import { readingServices, refuse, takesNoChanges } from './services.ts';
import type { Point } from './when.ts';

/**
 * The parts of a server that shows the past. None of them can write, neither to the database nor to the log.
 */
export interface Past extends Pick<Point, 'position' | 'moment'> {
  config: Config;
  /** Reads the past read models and today's durable tables. */
  db: Db;
  contextDependencies: ContextDependencies;
  /**
   * Authenticates by today's tokens and rights. @throws RookeryError `forbidden` for an account that did not
   * exist yet
   */
  authenticate: (bearer: string) => Promise<Authenticated | undefined>;
  /** Asks today's tokens. */
  wasRevoked: (bearer: string) => Promise<boolean>;
  /** The addresses whose requests are refused today. */
  ipAccessBlocks: IpAccessBlockCache;
  /** Aborts, with an Error as reason, when the build must no longer be served. */
  ended: AbortSignal;
  close(): Promise<void>;
}

/**
 * Opens a build to be served; `url` is that of the database.
 * @returns undefined when it was removed meanwhile
 */
export async function openPast(config: Config, url: string, point: Point): Promise<Past | undefined> {
  const closers: (() => unknown)[] = [];
  const close = (): Promise<void> => closeAll(closers.splice(0));
  try {
    const lease = await leaseAsOf({ url, position: point.position, projections });
    if (!lease) return undefined;
    closers.push(() => lease.release());
    return { ...(await assemble(config, url, point, closers)), ended: lease.ended, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

async function assemble(
  config: Config,
  url: string,
  { position, moment }: Point,
  closers: (() => unknown)[],
): Promise<Omit<Past, 'ended' | 'close'>> {
  const { db, today } = openReadOnly(config, url, { position, moment }, closers);
  const keys = await loadOrCreateKeys(config.dataDir, config.secrets);
  const notifications = await openNotifications(url);
  closers.push(() => notifications.close());
  const emojis = new CustomEmojiCache(db);
  closers.push(() => emojis.close());
  await emojis.listen(notifications);
  const ipAccessBlocks = new IpAccessBlockCache(today);
  closers.push(() => ipAccessBlocks.close());
  await ipAccessBlocks.listen(notifications);
  const media = mediaStoreFor({ dataDir: config.dataDir, s3: config.media.s3 });
  closers.push(() => media.close());

  const instance = instanceOf(config, keys, emojis);
  const authenticator = await createAuthenticator(today, new TokenDigests(keys.master), { notifications });
  const [resolver, remoteMedia] = [localResolver(db, instance), cachedFiles(db)];
  return {
    position,
    moment,
    config,
    db,
    ipAccessBlocks,
    contextDependencies: {
      db,
      instance,
      newId: idGenerator(),
      execute: refuse,
      consistency: NEVER_WAITS,
      services: readingServices({ keys, media, resolver, remoteMedia }),
    },
    wasRevoked: (bearer) => authenticator.wasRevoked(bearer),
    authenticate: authenticateThen(authenticator, existence(db)),
  };
}

/** Opens the past read models and today's durable tables, none of them for writing. */
function openReadOnly(
  config: Config,
  url: string,
  { position, moment }: Pick<Point, 'position' | 'moment'>,
  closers: (() => unknown)[],
): { db: Db; today: Database } {
  const open = (applicationName: string, settings: Record<string, string>): Database => {
    const database = openDatabase({
      url,
      max: config.database.pool,
      applicationName,
      shortReads: true,
      settings: { ...settings, default_transaction_read_only: 'on' },
    });
    closers.push(() => database.close());
    return database;
  };
  return {
    db: pastDb(open('rookery as-of', asOfSettings(position, moment)), moment),
    today: open('rookery as-of callers', {}),
  };
}

/** Finds what this server knew; other servers are not asked. */
const localResolver = (db: Db, instance: Instance): Resolver => ({
  resolve: (query) => findKnown(db, instance, query),
  identify: () => Promise.resolve(undefined),
  isGone: () => Promise.resolve(undefined),
  repliesTo: () => Promise.resolve({ uris: [], requests: 0 }),
  fetchAncestor: () => Promise.resolve('done'),
  introduce: () => Promise.resolve({ outcome: 'done', account: undefined }),
  meet: () => Promise.resolve({ outcome: 'done', account: undefined }),
});

/** Serves cached files; other servers are not asked. */
const cachedFiles = (db: Db): Pick<RemoteMediaCache, 'serve'> => ({
  async serve(id) {
    const key = (await shownFile(db, id))?.kept?.key;
    if (key === undefined) throw notFound();
    return { key };
  },
});

const authenticateThen =
  (authenticator: Authenticator, existed: (accountId: Id) => Promise<boolean>): Past['authenticate'] =>
  async (bearer) => {
    const caller = await authenticator.authenticate(bearer);
    const id = caller?.viewer?.account_id;
    if (id === undefined || (await existed(id))) return caller;
    throw forbidden('Your account did not exist yet at the time that this server shows');
  };

/** Turns Postgres's refusals of writes, because the database is read-only, into refusals for the client. */
const pastDb = (database: Database, moment: string): Db => ({
  moment,
  connections: () => database.connections?.() ?? 0,
  async query<Row>(asked: Statement<Row> | string, values?: readonly unknown[]): Promise<Row[]> {
    try {
      return await database.query(asked, values);
    } catch (error) {
      throw (error as { code?: string }).code === READ_ONLY ? takesNoChanges() : error;
    }
  },
});

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const READ_ONLY = '25006';
const USER = statement('as_of_user', 'select 1 from users where account_id = $1');

/** Tells whether an account had a user. The past does not change, so each is queried once. */
function existence(db: Db): (accountId: Id) => Promise<boolean> {
  const known = new LRUCache<Id, boolean>(atMost(10_000));
  return async (accountId) => {
    const found = known.get(accountId) ?? (await db.query(USER, [accountId])).length > 0;
    known.set(accountId, found);
    return found;
  };
}
