import { Redis } from 'ioredis';
import { oncePerMinute } from './once-per-minute.ts';
import { LONGEST_PAUSE_MS } from './pauses.ts';

/**
 * Opens the connection to Redis that a process shares. Nothing waits for Redis: a command fails at once while the
 * connection is away, and after half a second when there is no answer. A Redis that says nothing for a second counts as
 * away, or every request would wait half a second for it, and what was sent to it would pile up here. It reconnects by
 * itself, for ever.
 *
 * @param server what all processes of one server say, and those of no other: several servers may have one Redis
 * @param onError called with failures of the connection, at most once a minute
 */
export function openRedis(url: string, server: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    connectionName: 'rookery',
    keyPrefix: `rookery:${server}:`,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: 500,
    socketTimeout: 1_000,
    connectTimeout: 5_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, LONGEST_PAUSE_MS),
  });
  redis.on('error', oncePerMinute(onError));
  return redis;
}
