import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { isLoopback, networkOf } from '../http/client-address.ts';

const SECONDS = 300;
/**
 * The maximum number of events of the log that are read again in five minutes for clients that missed them.
 */
const PER_ACCOUNT = 50_000;
const PER_ADDRESS = 200_000;

/** Counts the events that clients have read again in this process, which cost far more than live ones. */
export class CatchUpBudget {
  readonly #accounts = new RateLimiterMemory({ points: PER_ACCOUNT, duration: SECONDS });
  readonly #addresses = new RateLimiterMemory({ points: PER_ADDRESS, duration: SECONDS });

  /** Counts events for an account at an address. Returns false when either has used its budget. */
  async take({ accountId, ip }: { accountId: string; ip: string }, events: number): Promise<boolean> {
    if (!(await take(this.#accounts, accountId, events))) return false;
    return isLoopback(ip) || take(this.#addresses, networkOf(ip), events);
  }
}

async function take(limiter: RateLimiterMemory, key: string, events: number): Promise<boolean> {
  try {
    await limiter.consume(key, events);
    return true;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return false;
    throw refusal;
  }
}
