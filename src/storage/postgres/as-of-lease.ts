import pg from 'pg';
import type { Projection } from '../../kernel/projection.ts';
import type { Db } from '../../kernel/read.ts';
import { asOfSchema, findAsOf } from './as-of.ts';
import { LOCKS } from './locks.ts';
import { SUBJECT_KEYS_CHANNEL } from './subject-keys.ts';

/** Keeps a build from being removed while it is served. */
export interface AsOfLease {
  /** Aborts, with the reason as an Error, when it must not be served any longer. */
  ended: AbortSignal;
  release(): Promise<void>;
}

export interface AsOfLeaseOptions {
  url: string;
  position: bigint;
  projections: readonly Projection[];
}

/**
 * Says that a build is served, for as long as its connection lives. It ends when that is lost, and when something that the
 * build may hold is erased: builds go with it.
 * @returns undefined where there is no such build any more
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
