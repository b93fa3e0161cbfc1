import { LRUCache } from 'lru-cache';
import type { Viewer } from '#kernel/context.ts';
import { atMost } from '#kernel/lru.ts';
import type { AuthChange } from './auth-changes.ts';

const MAX = 10_000;
/** Milliseconds: the bound if a notification is lost, as for tokens. */
const TTL = 30_000;

/**
 * Users by the hash of their session, so that a page costs no statement for its visitor. Those who may not act
 * are looked up each time, so that a confirmation takes effect at once.
 */
export class SessionCache {
  readonly #viewers = new LRUCache<string, Viewer>({ ...atMost(MAX), ttl: TTL });
  #changes = 0;

  get(key: string): Viewer | undefined {
    return this.#viewers.get(key);
  }

  /** Loads a user, and keeps them unless something changed meanwhile. */
  async load(key: string, find: () => Promise<Viewer | undefined>): Promise<Viewer | undefined> {
    const seen = this.#changes;
    const viewer = await find();
    if (viewer && mayAct(viewer) && seen === this.#changes) this.#viewers.set(key, viewer);
    return viewer;
  }

  /** Drops a session that ends, and what is being loaded. */
  drop(key: string): void {
    this.#changes += 1;
    this.#viewers.delete(key);
  }

  /** Drops what a change may affect. */
  changed(change: AuthChange): void {
    if (change !== 'everything' && 'tokenHash' in change) return;
    this.#changes += 1;
    for (const [key, { account_id }] of this.#viewers.entries())
      if (change === 'everything' || change.accountId === account_id) this.#viewers.delete(key);
  }
}

const mayAct = ({ confirmed, approved, disabled, suspended, moved }: Viewer): boolean =>
  confirmed && approved && !disabled && !suspended && !moved;
