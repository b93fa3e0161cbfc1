import { LRUCache } from 'lru-cache';
import { atMost } from '#kernel/lru.ts';
import { hostOfReference } from '#mastodon/lookup-text.ts';

const WINDOW = 60 * 60_000;
/** Unknown handles that one user may have looked up within `WINDOW` milliseconds: at one host, and in all. */
const MAX_AT_HOST = 30;
const MAX_IN_ALL = 200;

/** Counts what local users make this server ask of others, so that no user makes it trouble a host. */
export class UserLookups {
  readonly #counts = new LRUCache<string, number>({ ...atMost(50_000), ttl: WINDOW, noUpdateTTL: true });

  /** Counts a lookup. Returns false when the user has had enough of them. */
  admits(accountId: string, handle: string): boolean {
    const keys: [string, number][] = [
      [`${accountId} ${hostOfReference(handle) ?? ''}`, MAX_AT_HOST],
      [accountId, MAX_IN_ALL],
    ];
    if (keys.some(([key, most]) => (this.#counts.get(key) ?? 0) >= most)) return false;
    for (const [key] of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return true;
  }
}
