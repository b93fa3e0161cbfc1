import { retryAfterIn } from '#kernel/retry-after.ts';
import type { FetchFailure } from '#kernel/services/http-client.ts';

/**
 * The outcome of one attempt. `delivered`: the other server has it; `refused`: it will never accept it;
 * `failed`: it may accept it later, and not before `after` milliseconds if it said so.
 */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string; after?: number };

/** Statuses below 500 that depend on the moment, or on keys that the other server may not have yet. */
const PASSING = new Set([401, 408, 425, 429]);
/** The longest pause that another server may request, in milliseconds. */
const MAX_AFTER = 24 * 3_600_000;

/** Interprets a reply: most of 4xx, and 501, mean that the other server will never accept this. */
export function outcomeOf(status: number, headers: Readonly<Record<string, string>>): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = `answers ${status}`;
  if (status === 501 || (status >= 400 && status < 500 && !PASSING.has(status))) {
    return { kind: 'refused', reason };
  }
  const after = retryAfterIn(headers, { now: Date.now(), longest: MAX_AFTER });
  return { kind: 'failed', reason, ...(after === undefined ? {} : { after }) };
}

/** Failures of the request that another attempt would meet again. */
const FOR_EVER: readonly FetchFailure[] = ['bad_url', 'forbidden_address'];

/** Interprets a request without a reply. */
export function outcomeOfError(error: unknown): Outcome {
  const { code } = error as { code?: FetchFailure };
  const reason = error instanceof Error ? error.message : String(error);
  return code !== undefined && FOR_EVER.includes(code)
    ? { kind: 'refused', reason }
    : { kind: 'failed', reason };
}

/** The maximum number of attempts, as in Mastodon. */
export const MAX_TRIES = 16;

/**
 * Returns milliseconds before the next attempt, after a number of them: some seconds first, two days in the
 * end, a week in all. `random` is in [0, 1): simultaneous failures are not retried simultaneously.
 */
export const pauseAfter = (tries: number, random: number): number =>
  Math.round((15 + 3 * tries ** 4) * 1_000 * (1 + random / 5));
