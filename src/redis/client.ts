import { Redis } from 'ioredis';

/**
 * Opens the connection to Redis that a process shares. Nothing waits for Redis: a command fails at once while the
 * connection is away, and after half a second when there is no answer. It reconnects by itself, for ever.
 *
 * @param onError called with failures of the connection, at most once a minute
 */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const redis = new Redis(url, {
    connectionName: 'rookery',
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    commandTimeout: 500,
    connectTimeout: 5_000,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5_000),
  });
  redis.on('error', oncePerMinute(onError));
  return redis;
}

/** Lets the first call through, and then one a minute: an outage is one thing to say, not one per request. */
export function oncePerMinute<T>(report: (what: T) => void): (what: T) => void {
  let next = 0;
  return (what) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 60_000;
    report(what);
  };
}
