import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimit } from '#kernel/endpoint.ts';
import { RookeryError } from '#kernel/errors.ts';
import { isLoopback, networkOf } from './client-address.ts';
import type { Client } from './handle.ts';
import type { MountDependencies } from './mount.ts';

/** A limit. `seconds` is the length of the window, which starts with the first request. */
export interface Figures {
  points: number;
  seconds: number;
  /**
   * The counted subject: the token or account of the caller, or the address. A caller without a token counts
   * by address.
   */
  per: 'token' | 'account' | 'address';
}

const MINUTE = 60;

/**
 * Mastodon's figures: https://docs.joinmastodon.org/api/rate-limits/. Each kind counts in addition to
 * `default` and, for users, to `account`. The page omits the figures of posting and signing in, which
 * Mastodon enforces.
 */
export const RATE_LIMITS: Readonly<Record<Exclude<RateLimit, 'none'> | 'account', Figures>> = {
  default: { points: 300, seconds: 5 * MINUTE, per: 'token' },
  account: { points: 1_500, seconds: 5 * MINUTE, per: 'account' },
  apps: { points: 5, seconds: 10 * MINUTE, per: 'address' },
  media: { points: 30, seconds: 30 * MINUTE, per: 'account' },
  deletes: { points: 30, seconds: 30 * MINUTE, per: 'account' },
  statuses: { points: 300, seconds: 180 * MINUTE, per: 'account' },
  follows: { points: 400, seconds: 24 * 60 * MINUTE, per: 'account' },
  reports: { points: 400, seconds: 24 * 60 * MINUTE, per: 'account' },
  sign_up: { points: 5, seconds: 30 * MINUTE, per: 'address' },
  sign_in: { points: 25, seconds: 5 * MINUTE, per: 'address' },
  // With `sign_in_known`, the 25 that Mastodon counts for a login.
  sign_in_account: { points: 20, seconds: 5 * MINUTE, per: 'address' },
  sign_in_known: { points: 5, seconds: 5 * MINUTE, per: 'address' },
  own_password: { points: 10, seconds: 5 * MINUTE, per: 'account' },
  // Three of a million codes are valid at a time: a year of guessing finds one with a probability of 40 %.
  second_step: { points: 10, seconds: 30 * MINUTE, per: 'address' },
  password_reset: { points: 5, seconds: 30 * MINUTE, per: 'address' },
  confirmations: { points: 5, seconds: 30 * MINUTE, per: 'account' },
  // Remote pictures that are not cached yet: some pages of timelines with new pictures only.
  remote_media: { points: 1_500, seconds: 5 * MINUTE, per: 'address' },
  // The tiles and entries of a million events are some 8,000 files.
  log_tiles: { points: 3_000, seconds: 5 * MINUTE, per: 'address' },
};

export interface RateLimits {
  /**
   * Counts a request.
   * @returns the X-RateLimit headers of the limit that is closest to its end; do not change the object
   * @throws RookeryError `too_many_requests` with those headers and Retry-After
   */
  limit: (kind: RateLimit, client: Client) => Promise<Record<string, string>>;
  /** Counts against one kind alone. @returns headers as `limit` does @throws RookeryError `too_many_requests` */
  limitKind: (kind: Exclude<RateLimit, 'none'>, client: Client) => Promise<Record<string, string>>;
  /** Undoes the count of one request against a kind: the server had no room for it, or refused it. */
  release: (kind: Exclude<RateLimit, 'none'>, client: Client) => Promise<void>;
  /**
   * Counts against another subject than the client, such as the e-mail address of sign-in attempts.
   * `ip:<address>` counts as in `limit`.
   * @throws RookeryError `too_many_requests`
   */
  limitKey: (kind: Exclude<RateLimit, 'none'>, key: string) => Promise<void>;
}

export interface RateLimitsOptions {
  /** Shares the counts between processes; without it, or during its outage, each process counts by itself. */
  redis?: Redis | undefined;
  enabled: boolean;
  /** No limits for clients on this machine. */
  exemptLoopback: boolean;
  figures?: Partial<typeof RATE_LIMITS>;
}

interface Counter extends Figures {
  consume(key: string): Promise<RateLimiterRes>;
  reward(key: string): Promise<unknown>;
}

type Kind = keyof typeof RATE_LIMITS;

/** The prefix of keys that name an address. */
const BY_ADDRESS = 'ip:';
const NO_HEADERS: Record<string, string> = Object.freeze({});
const UNLIMITED = Promise.resolve(NO_HEADERS);

/** The rate limits of the API. */
export function createRateLimits({ redis, enabled, exemptLoopback, figures }: RateLimitsOptions): RateLimits {
  if (!enabled) {
    const nothing = (): Promise<void> => Promise.resolve();
    return { limit: () => UNLIMITED, limitKind: () => UNLIMITED, release: nothing, limitKey: nothing };
  }

  const counters = new Map<Kind, Counter>();
  for (const [kind, each] of Object.entries({ ...RATE_LIMITS, ...figures })) {
    counters.set(kind as Kind, openCounter(kind, each, redis));
  }
  const counterOf = (kind: Kind): Counter => {
    const counter = counters.get(kind);
    if (!counter) throw new TypeError(`There is no rate limit named ${kind}`);
    return counter;
  };

  return {
    limit(kind, client) {
      if (kind === 'none' || (exemptLoopback && isLoopback(client.ip))) return UNLIMITED;
      const kinds: Kind[] = kind === 'default' ? ['default'] : ['default', kind];
      if (client.accountId !== undefined) kinds.push('account');
      return all(kinds.map(counterOf), client);
    },
    async limitKind(kind, client) {
      if (exemptLoopback && isLoopback(client.ip)) return NO_HEADERS;
      return all([counterOf(kind)], client);
    },
    async release(kind, client) {
      if (exemptLoopback && isLoopback(client.ip)) return;
      const counter = counterOf(kind);
      await counter.reward(keyOf(counter, client));
    },
    async limitKey(kind, key) {
      // Keys are personal data, which Redis does not need.
      const counted = key.startsWith(BY_ADDRESS)
        ? `${BY_ADDRESS}${networkOf(key.slice(BY_ADDRESS.length))}`
        : key;
      const digest = createHash('sha256').update(counted).digest('base64url');
      await consume(counterOf(kind), `key:${digest}`);
    },
  };
}

/** Counts against several limits at once. @returns the headers of the limit that is closest to its end */
async function all(counted: readonly Counter[], client: Client): Promise<Record<string, string>> {
  const states = await Promise.allSettled(
    counted.map(async (counter) => ({ counter, state: await consume(counter, keyOf(counter, client)) })),
  );
  const passed = states.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
  const { counter, state } = passed.reduce((closest, each) =>
    each.state.remainingPoints < closest.state.remainingPoints ? each : closest,
  );
  return headersOf(counter, state);
}

async function consume(counter: Counter, key: string): Promise<RateLimiterRes> {
  try {
    return await counter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const headers = headersOf(counter, refusal);
    headers['Retry-After'] = String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)));
    throw new RookeryError('too_many_requests', 'Too many requests', { headers });
  }
}

/** The documentation promises the time of the reset as a timestamp in ISO 8601. */
const headersOf = (counter: Counter, state: RateLimiterRes): Record<string, string> => ({
  'X-RateLimit-Limit': String(counter.points),
  'X-RateLimit-Remaining': String(state.remainingPoints),
  'X-RateLimit-Reset': new Date(Date.now() + state.msBeforeNext).toISOString(),
});

function keyOf({ per }: Figures, { ip, accountId, tokenId }: Client): string {
  if (per === 'token' && tokenId !== undefined) return `token:${tokenId}`;
  if (per === 'account' && accountId !== undefined) return `account:${accountId}`;
  return `${BY_ADDRESS}${networkOf(ip)}`;
}

function openCounter(kind: string, figures: Figures, redis: Redis | undefined): Counter {
  const options = { points: figures.points, duration: figures.seconds, keyPrefix: `limit:${kind}` };
  const memory = new RateLimiterMemory(options);
  const limiter = redis
    ? new RateLimiterRedis({
        ...options,
        storeClient: redis,
        insuranceLimiter: memory,
        rejectIfRedisNotReady: true,
      })
    : memory;
  return { ...figures, consume: (key) => limiter.consume(key), reward: (key) => limiter.reward(key) };
}

/** The part of the limits that the router of endpoints needs. */
export const limitsOfEndpoints = (
  limits: RateLimits,
): Pick<MountDependencies, 'limit' | 'kindLimit' | 'mediaLimit'> => ({
  limit: limits.limit,
  kindLimit: { count: limits.limitKind, release: limits.release },
  mediaLimit: {
    count: async (client) => {
      await limits.limitKind('media', client);
    },
    release: (client) => limits.release('media', client),
  },
});
