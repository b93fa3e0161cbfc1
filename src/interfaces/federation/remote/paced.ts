import { LRUCache } from 'lru-cache';
import { atMost } from '#kernel/lru.ts';
import { hostOfReference } from '#mastodon/lookup-text.ts';
import { BudgetSpent, isRemoteError, isTransient, isUnavailable } from './remote-error.ts';

/** Milliseconds for one object with all its requests: the author of a post, its quote. */
const DEADLINE = 20_000;
/** Concurrent requests to one host, and requests within `WINDOW` milliseconds. */
const AT_ONCE = 2;
const MAX_ASKED = 300;
const WINDOW = 5 * 60_000;

/**
 * `busy`: other requests to the server are running; `away`: it does not respond, or got many requests lately.
 */
export type Paced<T> = { outcome: 'done'; found: T | undefined } | { outcome: 'busy' | 'away' };

/** Makes the requests of jobs. No host gets many requests, and no host makes others wait. */
export class PacedRequests {
  readonly #onRefusal: (error: unknown) => void;
  readonly #asking = new Map<string, number>();
  readonly #asked = new LRUCache<string, number>({ ...atMost(10_000), ttl: WINDOW, noUpdateTTL: true });
  /** URIs that their servers refused. */
  readonly #refused = new LRUCache<string, true>({ ...atMost(10_000), ttl: WINDOW });

  /** `onRefusal` is called with the errors of servers that could not be reached or were not trusted. */
  constructor(onRefusal: (error: unknown) => void) {
    this.#onRefusal = onRefusal;
  }

  /** Fetches what a URI or a handle names if its host has room. Undefined when its server refuses. */
  async run<T>(
    uri: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<Paced<T>> {
    const host = hostOfReference(uri);
    if (host === undefined || this.#refused.has(uri)) return { outcome: 'done', found: undefined };
    const [asking, asked] = [this.#asking.get(host) ?? 0, this.#asked.get(host) ?? 0];
    if (asking >= AT_ONCE) return { outcome: 'busy' };
    if (asked >= MAX_ASKED) return { outcome: 'away' };
    this.#asking.set(host, asking + 1);
    this.#asked.set(host, asked + 1);
    try {
      return await this.#ask(uri, signal, ask);
    } finally {
      const now = (this.#asking.get(host) ?? 1) - 1;
      if (now > 0) this.#asking.set(host, now);
      else this.#asking.delete(host);
    }
  }

  async #ask<T>(
    uri: string,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<Paced<T>> {
    try {
      const found = await ask(AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)]));
      return { outcome: 'done', found };
    } catch (error) {
      signal.throwIfAborted();
      if (!isRemoteError(error)) throw error;
      if (error instanceof BudgetSpent) return { outcome: 'done', found: undefined };
      this.#onRefusal(error);
      if (isTransient(error) || isUnavailable(error)) return { outcome: 'away' };
      this.#refused.set(uri, true);
      return { outcome: 'done', found: undefined };
    }
  }
}
