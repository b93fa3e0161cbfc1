import { LRUCache } from 'lru-cache';
import type { CommandContext } from '../../kernel/context.ts';
import { atMost } from '../../kernel/lru.ts';
import { isPassing, isTheirs } from './refusal.ts';
import { Search, type SearchOptions } from './search.ts';

interface AncestorsOptions extends Omit<SearchOptions, 'ctx' | 'signal' | 'onAccount' | 'ancestors'> {
  /** A context in the name of this part of the server. */
  context: () => CommandContext;
  /** Told why another server could not be asked, or what was not believed. */
  onRefusal: (error: unknown) => void;
}

/** All that one ancestor leads to, in milliseconds: its author, its quote. */
const DEADLINE = 20_000;
/** Ancestors that one host is asked for at once, and within `WINDOW` milliseconds. */
const AT_ONCE = 2;
const MAX_ASKED = 300;
const WINDOW = 5 * 60_000;

type Outcome = 'done' | 'busy' | 'away';

/** Asks other servers for posts that known posts answer. No host is asked often, and none keeps others waiting. */
export class Ancestors {
  readonly #options: AncestorsOptions;
  readonly #asking = new Map<string, number>();
  readonly #asked = new LRUCache<string, number>({ ...atMost(10_000), ttl: WINDOW, noUpdateTTL: true });
  /** Posts that are not to be had. */
  readonly #refused = new LRUCache<string, true>({ ...atMost(10_000), ttl: WINDOW });

  constructor(options: AncestorsOptions) {
    this.#options = options;
  }

  /** As `Resolver.fetchAncestor`. */
  async fetch(uri: string, left: number, signal: AbortSignal): Promise<Outcome> {
    const host = URL.parse(uri)?.host;
    if (host === undefined || this.#refused.has(uri)) return 'done';
    const [asking, asked] = [this.#asking.get(host) ?? 0, this.#asked.get(host) ?? 0];
    if (asking >= AT_ONCE) return 'busy';
    if (asked >= MAX_ASKED) return 'away';
    this.#asking.set(host, asking + 1);
    this.#asked.set(host, asked + 1);
    try {
      return await this.#ask(uri, left, signal);
    } finally {
      const now = (this.#asking.get(host) ?? 1) - 1;
      if (now > 0) this.#asking.set(host, now);
      else this.#asking.delete(host);
    }
  }

  async #ask(uri: string, left: number, signal: AbortSignal): Promise<Outcome> {
    const { context, onRefusal } = this.#options;
    const search = new Search({
      ...this.#options,
      ctx: context(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE)]),
      onAccount: () => undefined,
      ancestors: left,
    });
    try {
      await search.find(uri);
      return 'done';
    } catch (error) {
      signal.throwIfAborted();
      if (!isTheirs(error)) throw error;
      onRefusal(error);
      if (isPassing(error)) return 'away';
      this.#refused.set(uri, true);
      return 'done';
    }
  }
}
