import pg from 'pg';
import { pause } from '#kernel/pause.ts';

/** Milliseconds between tries for a lock that another session holds. */
const TRY_EVERY = 1_000;

/** An advisory lock that lives as long as its connection. */
export interface SessionLock {
  /** Aborts when the connection is lost, and the lock with it. */
  lost: AbortSignal;
  release(): Promise<void>;
}

export interface SessionLockOptions {
  url: string;
  key: number;
  /** For pg_stat_activity. */
  applicationName: string;
  /** A channel that the holder listens to. */
  channel: string;
  onNotification: () => void;
  signal: AbortSignal;
}

/**
 * Waits until this process holds the lock. When the holder dies its connection ends, and the next process
 * gets the lock within about a second. It polls instead of waiting inside Postgres, because a statement that
 * waits for hours keeps vacuum from removing rows.
 * @returns undefined when the signal aborted first
 */
export async function acquireSessionLock(options: SessionLockOptions): Promise<SessionLock | undefined> {
  const { signal } = options;
  let client: pg.Client | undefined;
  let lost: AbortSignal | undefined;
  while (!signal.aborted) {
    try {
      if (!client || lost?.aborted) ({ client, lost } = await connect(options));
      const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
        options.key,
      ]);
      if (rows[0]?.held && lost && !lost.aborted) {
        await client.query(`listen ${options.channel}`);
        return holding(client, lost);
      }
    } catch {
      // During an outage of the database its clients wait, and so does this one.
      client?.end().catch(() => undefined);
      client = undefined;
    }
    await pause(TRY_EVERY, signal);
  }
  await client?.end().catch(() => undefined);
  return undefined;
}

async function connect({
  url,
  applicationName,
  onNotification,
}: SessionLockOptions): Promise<{ client: pg.Client; lost: AbortSignal }> {
  const lost = new AbortController();
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // The server detects a holder whose machine vanished within a minute.
    options: '-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3',
  });
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  client.on('notification', onNotification);
  await client.connect();
  return { client, lost: lost.signal };
}

const holding = (client: pg.Client, lost: AbortSignal): SessionLock => ({
  lost,
  async release() {
    await client.end().catch(() => undefined);
  },
});
