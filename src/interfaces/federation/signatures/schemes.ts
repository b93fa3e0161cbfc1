import { LRUCache } from 'lru-cache';
import { atMost } from '../../../kernel/lru.ts';
import type { SignatureScheme } from './sign.ts';

const HOUR = 3_600_000;

/**
 * Remembers the signature scheme that each host accepts. After a 401, a request is repeated with the other
 * scheme; if that fails too, it is not tried for an hour.
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
    if (answer.status !== 401 || this.#refusing.has(host)) return answer;
    const other = usual === 'draft' ? 'rfc9421' : 'draft';
    const again = await attempt(other);
    if (again.status === 401) this.#refusing.set(host, true);
    if (again.status >= 200 && again.status < 300) this.#known.set(host, other);
    return again;
  }
}
