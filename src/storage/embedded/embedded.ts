import type { ChildProcess } from 'node:child_process';
import { realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { makeFolder } from '#kernel/files.ts';
import { LOCKS } from '../postgres/locks.ts';
import { type Cluster, DATABASE, prepareCluster } from './cluster.ts';
import { withFileLock } from './lock.ts';
import { findPostmaster, isAlive, type Postmaster, shutDown, waitUntil } from './postmaster.ts';
import { explain, launch } from './programs.ts';
import { openUsePipe, type UsePipe, WATCHED } from './use-pipe.ts';

export interface EmbeddedOptions {
  dataDir: string;
  log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /**
   * Called once when the server ended without `stop` and could not be started again. The process should end too, since its database
   * is gone.
   */
  onLost?: (reason: Error) => void;
}

export interface EmbeddedPostgres {
  /** `postgresql://rookery:...@localhost:PORT/rookery?host=FOLDER`. The role may create databases, and is no superuser. */
  url: string;
  /** Ends the use. The last process that uses the server stops it. */
  stop: () => Promise<void>;
}

/**
 * Serves `<dataDir>/postgres` with an embedded PostgreSQL on a Unix socket in that folder (a quarter faster
 * than loopback, which serves when the path is too long for a socket). Creates the database on first use.
 * Several processes may call this at the same time: one starts the server, the others attach to it, and the
 * last one stops it. When all of them were killed, it ends by itself. First repairs what a killed process left
 * behind.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await makeFolder(options.dataDir);
  const dataDir = await realpath(options.dataDir);
  const lockFile = join(dataDir, 'postgres.lock');
  return withFileLock(lockFile, async () => {
    const cluster = await prepareCluster(dataDir);
    const pipe = await openUsePipe(cluster);
    try {
      const parts = { cluster, pipe, ...options };
      const server = (await attach(parts)) ?? (await start(parts));
      return use(server, { cluster, pipe, lockFile, ...options });
    } catch (error) {
      await pipe?.leave();
      throw error;
    }
  });
}

/**
 * For the command line: attaches to the server of a running Rookery, or starts one for the duration of the
 * command.
 */
export const connectEmbedded = (dataDir: string, log: EmbeddedOptions['log']): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ dataDir, log });

/** A server and this process's lease: a session whose shared lock says that the server is in use. */
interface Server {
  pid: number;
  url: string;
  lease: pg.Client;
  child?: ChildProcess;
}

const START_ATTEMPTS = 5;
const PATIENCE_MS = 30_000;
/** The same for a server without users, in a shutdown that nothing else waits for. */
const ORPHAN_PATIENCE_MS = 3_000;
/** Milliseconds in which a lost server must be back, or started again. */
const RECOVERY_MS = 30_000;
const RECOVERY_PAUSE_MS = 100;
/** The server's `nice` value relative to this process, for times when both want a processor. */
const NICE = 2;

/** Only a part of the socket's name. */
const SOCKET_PORT = '5432';
/** Bytes; Linux allows 107, macOS and BSD 103. */
const LONGEST_SOCKET = 103;

/**
 * Joins a server that another process uses. A server without users is an orphan, which is stopped and started
 * again.
 */
async function attach({ cluster, pipe, log }: Parts): Promise<Server | undefined> {
  let found = await findPostmaster(cluster.dir);
  await waitUntil(async () => {
    found = await findPostmaster(cluster.dir);
    return found === undefined || found.ready;
  }, PATIENCE_MS);
  if (found === undefined) return undefined;
  const url = urlOf(cluster, found);
  const lease = found.ready ? await connect(url).catch(() => undefined) : undefined;
  if (lease !== undefined && (pipe?.wasHeld ?? !(await isUnused(lease)))) {
    await markInUse(lease);
    return { pid: found.pid, url, lease };
  }
  log.warn('Stopping a PostgreSQL that an earlier process left running');
  await lease?.end();
  await shutDown(found.pid, ORPHAN_PATIENCE_MS);
  return undefined;
}

interface Parts extends Pick<EmbeddedOptions, 'log'> {
  cluster: Cluster;
  pipe: UsePipe | undefined;
}

/** Retries: another program may take the free port first, and the last server may still be ending. */
async function start(parts: Parts, port?: string): Promise<Server> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(parts, port);
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
      await sleep(200 * attempt);
    }
  }
}

async function startOnce({ cluster, pipe, log }: Parts, port?: string): Promise<Server> {
  const child = await launchServer(cluster, pipe, await listenOptions(cluster, port));
  const said = follow(child, log);
  yieldToUs(child);
  const server = await readyServer(cluster, child);
  if (server === undefined) throw new Error(explain('PostgreSQL', said.join('\n')));
  const url = urlOf(cluster, server);
  try {
    const lease = await connect(url);
    await markInUse(lease);
    log.debug({ pid: server.pid }, 'PostgreSQL is ready');
    return { pid: server.pid, url, lease, child };
  } catch (error) {
    // On a full disk, for example: a server without a lease would keep this process alive and block the next
    // attempt.
    await shutDown(server.pid);
    throw error;
  }
}

async function launchServer(
  { programs, launcher, dir }: Cluster,
  pipe: UsePipe | undefined,
  options: readonly string[],
): Promise<ChildProcess> {
  const args = ['-D', dir, ...options];
  const reader = await pipe?.reader();
  if (reader === undefined) return launch(launcher, programs.postgres, args);
  const watched = ['-c', WATCHED, 'sh', join(dir, 'postmaster.pid'), programs.postgres, ...args];
  try {
    return launch(launcher, '/bin/sh', watched, [reader.fd]);
  } finally {
    await reader.close();
  }
}

/**
 * On a busy machine, replies to queries that have their rows go out before more rows are looked up, which
 * lowers the tail latency. Child processes inherit the value.
 */
function yieldToUs({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(getPriority() + NICE, 19));
  } catch {
    // The server is gone; its messages say why.
  }
}

/** Waits for recovery from a crash, without a limit. Returns undefined when the server gave up. */
async function readyServer(cluster: Cluster, child: ChildProcess): Promise<Postmaster | undefined> {
  let failed = false;
  child.on('error', () => (failed = true)).on('exit', () => (failed = true));
  for (;;) {
    const found = await findPostmaster(cluster.dir);
    if (failed) return undefined;
    if (found?.ready && found.pid === child.pid) return found;
    await sleep(20);
  }
}

/**
 * A division by zero aborts a transaction on purpose, since SQL has no `throw`. Projections and the job queue
 * use it. A server that stops ends the connections that are still open.
 */
const DELIBERATE = /^ERROR: +division by zero$|^FATAL: +terminating connection due to administrator command$/;

/** Passes the server's messages to the log, and keeps the last ones for an error. */
function follow(child: ChildProcess, log: EmbeddedOptions['log']): string[] {
  const last: string[] = [];
  child.stdin?.on('error', () => undefined).end();
  child.on('error', (error) => last.push(error.message));
  if (child.stderr === null) return last;
  createInterface({ input: child.stderr }).on('line', (line) => {
    last.push(line);
    if (last.length > 20) last.shift();
    if (DELIBERATE.test(line)) log.debug(line);
    else if (/^(?:FATAL|PANIC):/.test(line)) log.error(line);
    else if (/^(?:ERROR|WARNING):/.test(line)) log.warn(line);
    else log.debug(line);
  });
  return last;
}

interface Use extends EmbeddedOptions, Parts {
  lockFile: string;
}

/** Keeps a lease on the server. A server that ends is started again, at the same address. */
function use(first: Server, options: Use): EmbeddedPostgres {
  const { lockFile, log, onLost, pipe } = options;
  let server = first;
  let gone = false;
  let recovering: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  const lose = (): void => {
    if (stopping !== undefined || recovering !== undefined) return;
    log.error('PostgreSQL has gone away: connecting again');
    recovering = withFileLock(lockFile, () => recover(server, options))
      .then(watch, (cause: unknown) => {
        gone = true;
        onLost?.(new Error('The embedded PostgreSQL has gone away', { cause }));
      })
      .finally(() => (recovering = undefined));
  };
  const watch = (now: Server): void => {
    server = now;
    now.lease.once('end', lose);
  };
  watch(first);
  const release = async (): Promise<void> => {
    const unused = pipe === undefined && (await isUnused(server.lease).catch(() => false));
    await server.lease.end().catch(() => undefined);
    const last = pipe === undefined ? unused : await pipe.leave();
    if (last && !gone) await shutDown(server.pid);
    server.child?.unref();
    if (isAlive(server.pid)) server.child?.stderr?.destroy();
  };
  const stop = async (): Promise<void> => {
    await recovering;
    await withFileLock(lockFile, release);
  };
  return { url: first.url, stop: () => (stopping ??= stop()) };
}

/**
 * Returns the server with a new lease: the same one after the recovery from a killed backend, else one that another process or this
 * one has started.
 */
async function recover(lost: Server, parts: Parts): Promise<Server> {
  const { cluster } = parts;
  const end = performance.now() + RECOVERY_MS;
  for (;;) {
    const found = await findPostmaster(cluster.dir);
    if (!found) return start(parts, new URL(lost.url).port);
    try {
      const lease = await connect(lost.url);
      await markInUse(lease);
      return found.pid === lost.pid ? { ...lost, lease } : { pid: found.pid, url: lost.url, lease };
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(RECOVERY_PAUSE_MS);
    }
  }
}

/** Marks the server as in use, for the lifetime of the session. */
const markInUse = (lease: pg.Client): Promise<unknown> =>
  lease.query('SELECT pg_advisory_lock_shared($1)', [LOCKS.embeddedServer]);

/**
 * Returns true when no other session holds a lease. This session then holds the lock alone. A use whose lease broke off has none until
 * it is connected again: the pipe knows better, where there is one.
 */
async function isUnused(lease: pg.Client): Promise<boolean> {
  const { rows } = await lease.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1) AS alone', [
    LOCKS.embeddedServer,
  ]);
  return rows[0]?.alone === true;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'rookery-lease',
    connectionTimeoutMillis: PATIENCE_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

function urlOf({ password }: Cluster, { port, socketDir }: Postmaster): string {
  if (socketDir === '') return `postgresql://${DATABASE}:${password}@127.0.0.1:${port}/${DATABASE}`;
  const host = encodeURIComponent(socketDir);
  return `postgresql://${DATABASE}:${password}@localhost:${port}/${DATABASE}?host=${host}`;
}

/**
 * The socket's own lock file names a process id as well. This module's lock and the one of the data directory
 * make it needless.
 */
async function listenOptions({ home }: Cluster, port?: string): Promise<string[]> {
  const socket = join(home, `.s.PGSQL.${SOCKET_PORT}`);
  if (process.platform !== 'win32' && Buffer.byteLength(socket) <= LONGEST_SOCKET && !/[",]/.test(home)) {
    await rm(`${socket}.lock`, { force: true });
    return ['-p', SOCKET_PORT, '-c', 'listen_addresses=', '-c', `unix_socket_directories="${home}"`];
  }
  return [
    '-p',
    port ?? String(await freePort()),
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ];
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject).listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
