import { LRUCache } from 'lru-cache';
import { atMost } from '#kernel/lru.ts';
import type { SignatureScheme } from './sign.ts';

const HOUR = 3_600_000;
/** The replies after which Mastodon 4.7 repeats a request with the other scheme. */
const REFUSALS = [400, 401];

/**
 * Remembers the signature scheme that each host accepts. After a 400 or a 401, a request is repeated with the other
 * scheme; after a second 401, it is not tried for an hour. A second 400 may be about the content alone.
 */
export class SignatureSchemes {
  readonly #known = new LRUCache<string, SignatureScheme>({ ...atMost(10_000) });
  readonly #refusing = new LRUCache<string, true>({ ...atMost(10_000), ttl: HOUR });

  /** Sends a request, signed with the scheme of its host, and returns the reply. */
  async send<Answer extends { status: number }>(
    host: string,
    attempt: (scheme: SignatureScheme) => Promise<Answer>,
  ): Promise<Answer> {
    const usual = this.#known.get(host) ?? 'draft';
    const answer = await attempt(usual);
    if (!REFUSALS.includes(answer.status) || this.#refusing.has(host)) return answer;
    const other = usual === 'draft' ? 'rfc9421' : 'draft';
    const again = await attempt(other);
    if (again.status === 401) this.#refusing.set(host, true);
    if (again.status >= 200 && again.status < 300) this.#known.set(host, other);
    return again;
  }
}
