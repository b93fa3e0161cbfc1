import type { Redis } from 'ioredis';
import type { SharedPositions } from '#storage/postgres/projector/read-your-writes.ts';
import { oncePerMinute } from './once-per-minute.ts';
import { LONGEST_PAUSE_MS } from './pauses.ts';

/**
 * Stores the larger position. Positions have up to 20 digits and Lua's numbers 15, so they are compared as
 * text: the longer one is larger. Every write extends the life of the key.
 */
const RAISE = `
local held = redis.call('get', KEYS[1])
local given = ARGV[1]
if held and (#held > #given or (#held == #given and held > given)) then given = held end
redis.call('set', KEYS[1], given, 'EX', ARGV[2])
return given
`;

const PREFIX = 'position:';
/** Longer than any read model lags in normal operation; after that, a read no longer waits for the write. */
const EXPIRY_SECONDS = 60;
/**
 * After a failure, and after Redis is back, its values are ignored for this long: it lacks what was written
 * during the outage, and other processes may not have reconnected yet.
 */
const DOUBT_MS = 2 * LONGEST_PAUSE_MS;

interface RaisingRedis extends Redis {
  rookeryRaise(key: string, position: string, seconds: number): Promise<string>;
}

/**
 * Opens the positions that owners wrote, for all processes that serve the API. During an outage of Redis, the
 * writes of other processes are unknown. @param onError called with failures, at most once a minute
 */
export function openSharedPositions(redis: Redis, onError: (error: unknown) => void): SharedPositions {
  redis.defineCommand('rookeryRaise', { numberOfKeys: 1, lua: RAISE });
  const raising = redis as RaisingRedis;
  const report = oncePerMinute(onError);
  let doubtUntil = 0;
  const doubt = (): void => {
    doubtUntil = performance.now() + DOUBT_MS;
  };
  redis.on('close', doubt);
  redis.on('ready', () => {
    if (doubtUntil > 0) doubt();
  });

  return {
    set(owner, position) {
      raising.rookeryRaise(PREFIX + owner, String(position), EXPIRY_SECONDS).catch(report);
    },

    async get(owner) {
      if (performance.now() < doubtUntil) return 'unknown';
      try {
        const position = await redis.get(PREFIX + owner);
        return position !== null && /^[0-9]{1,20}$/.test(position) ? BigInt(position) : undefined;
      } catch (error) {
        doubt();
        report(error);
        return 'unknown';
      }
    },
  };
}
