import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { isLoopback, networkOf } from '../http/client-address.ts';

const SECONDS = 300;
/** Events of the log that are read again in five minutes for those who missed them. */
const PER_ACCOUNT = 50_000;
const PER_ADDRESS = 200_000;

/** Counts what clients have read again in this process, which costs far more than to hear of it when it happens. */
export class CatchUpBudget {
  readonly #accounts = new RateLimiterMemory({ points: PER_ACCOUNT, duration: SECONDS });
  readonly #addresses = new RateLimiterMemory({ points: PER_ADDRESS, duration: SECONDS });

  /** Counts events for an account at an address. False where one of both has had enough. */
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
