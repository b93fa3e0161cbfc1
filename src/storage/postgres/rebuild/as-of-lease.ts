import pg from 'pg';
import type { Projection } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { LOCKS } from '../locks.ts';
import { SUBJECT_KEYS_CHANNEL } from '../subject-keys.ts';
import { asOfSchema, findAsOf } from './as-of.ts';

/** Prevents the removal of a build while it is served. */
export interface AsOfLease {
  /** Aborts, with an Error as the reason, when the build must not be served any longer. */
  ended: AbortSignal;
  release(): Promise<void>;
}

export interface AsOfLeaseOptions {
  url: string;
  position: bigint;
  projections: readonly Projection[];
}

/**
 * Marks a build as served, for the lifetime of the connection. The lease ends when the connection is lost,
 * and when data that the build may contain is erased: the build is removed with it.
 * @returns undefined when the build no longer exists
 */
export async function leaseAsOf(options: AsOfLeaseOptions): Promise<AsOfLease | undefined> {
  const ended = new AbortController();
  const end = (reason: string): void => ended.abort(new Error(reason));
  const client = new pg.Client({
    connectionString: options.url,
    application_name: 'rookery as-of lease',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: '-c default_transaction_read_only=on',
  });
  client.on('error', () => end('The database went away'));
  client.on('end', () => end('The database went away'));
  await client.connect();
  const db: Db = {
    query: async <Row>(asked: Parameters<Db['query']>[0], values: readonly unknown[] = []) => {
      const query = typeof asked === 'string' ? { text: asked } : asked;
      return (await client.query({ ...query, values: [...values] })).rows as Row[];
    },
  };
  const isThere = async (): Promise<boolean> => (await findAsOf(db, options)) !== undefined;
  const look = async (): Promise<void> => {
    if (!(await isThere())) end('Something was erased since this was built');
  };
  const release = async (): Promise<void> => {
    client.removeAllListeners('end');
    await client.end().catch(() => undefined);
  };

  await client.query('select pg_advisory_lock_shared($1, hashtext($2))', [
    LOCKS.pastServed,
    asOfSchema(options.position),
  ]);
  client.on('notification', () => void look().catch(() => end('The database went away')));
  await client.query(`listen ${SUBJECT_KEYS_CHANNEL}`);
  if (await isThere()) return { ended: ended.signal, release };
  await release();
  return undefined;
}
