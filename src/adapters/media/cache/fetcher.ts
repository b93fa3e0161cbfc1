import { LRUCache } from 'lru-cache';
import { fairSemaphore, type Semaphore } from '#kernel/concurrency.ts';
import { isRookeryError, notFound, RookeryError } from '#kernel/errors.ts';
import { atMost } from '#kernel/lru.ts';
import type { OnBehalf } from '#kernel/on-behalf.ts';
import { outside } from '#kernel/places.ts';
import type { FetchFailure, HttpClient } from '#kernel/services/http-client.ts';

/** Requests that begin at a time, that wait for an answer, and that wait to begin. */
const IN_ALL = { running: 24, outside: 256, waiting: 400 };
const PER_HOST = { running: 4, waiting: 100 };
/** Milliseconds for one file. */
const DEADLINE = 30_000;
/** Milliseconds until the next request to a silent host, or for an unavailable file. */
const HOST_REST = 30_000;
const SOON = 60_000;
const LATER = 3_600_000;
const MAX_REMEMBERED = 20_000;

/** The file may be available later. */
export const notYet = (seconds: number): RookeryError =>
  new RookeryError('unavailable', 'This file is not here yet', {
    headers: { 'Retry-After': String(seconds) },
  });

/** Fetches remote files, a bounded number at a time, and remembers failures. */
export class RemoteFileFetcher {
  readonly #http: HttpClient;
  readonly #inAll = fairSemaphore(IN_ALL);
  readonly #hosts = new LRUCache<string, Semaphore>(atMost(5_000));
  /** By host: the end of its pause, in milliseconds since 1970. */
  readonly #resting = new LRUCache<string, number>(atMost(5_000));
  /** By address: the time until which it is not requested. */
  readonly #failed = new LRUCache<string, { until: number; forGood: boolean }>(atMost(MAX_REMEMBERED));

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Writes a file. @throws RookeryError `not_found`, or `unavailable` when it may be available later */
  async fetch(
    url: string,
    { into, maxBytes, onBehalf }: { into: string; maxBytes: number; onBehalf?: OnBehalf },
  ): Promise<void> {
    const { host } = new URL(url);
    const hostLimit = this.#hosts.get(host) ?? fairSemaphore(PER_HOST);
    this.#hosts.set(host, hostLimit);
    const fetching = async (): Promise<void> => {
      // Another request may have found out while this one waited.
      this.assertHopeful(url);
      try {
        await this.#ask(url, into, maxBytes);
      } catch (error) {
        this.#noteFailure(url, host, error);
        throw error;
      }
    };
    await outside(() => hostLimit(() => this.#inAll(fetching, onBehalf), onBehalf));
  }

  /**
   * Returns the beginning of a file. A host that has failed is not asked for beginnings for a while; whole files
   * have more time.
   * @throws RookeryError as `fetch`, or the reason of the signal
   */
  async begin(url: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
    const { host } = new URL(url);
    const hopeless = this.#failed.get(beginningsOf(host));
    if (hopeless && hopeless.until > Date.now()) throw notYet(30);
    this.assertHopeful(url);
    return this.#inAll(
      async () => {
        try {
          const headers = { Accept: ACCEPTED, Range: `bytes=0-${maxBytes - 1}` };
          const asked = { maxBytes, truncate: true, signal, headers, accepts: isNoText };
          const { status, body } = await this.#http.fetch(url, asked);
          if (status === 200 || status === 206) return body;
        } catch {
          this.#failed.set(beginningsOf(host), { until: Date.now() + HOST_REST, forGood: false });
        }
        throw notYet(60);
      },
      { owner: host, signal },
    );
  }

  /**
   * @param use the purpose of the file, when it has one
   * @throws RookeryError as `fetch`, when the file is known to be unavailable or unusable
   */
  assertHopeful(url: string, use = ''): void {
    for (const failed of [this.#failed.get(url), this.#failed.get(`${use} ${url}`)]) {
      if (failed && failed.until > Date.now()) throw failed.forGood ? notFound() : notYet(60);
    }
    const restsUntil = this.#resting.get(new URL(url).host) ?? 0;
    if (restsUntil > Date.now()) throw notYet(30);
  }

  /** Remembers that a file is unusable for this purpose. */
  noteUnusable(url: string, use: string): void {
    this.#failed.set(`${use} ${url}`, { until: Date.now() + LATER, forGood: true });
  }

  async #ask(url: string, into: string, maxBytes: number): Promise<void> {
    let status: number;
    try {
      ({ status } = await this.#http.fetch(url, {
        into,
        maxBytes,
        deadline: DEADLINE,
        headers: { Accept: ACCEPTED },
        accepts: isNoText,
      }));
    } catch (error) {
      throw isFor(error, 'unreachable', 'timeout', 'cancelled') ? notYet(60) : notFound();
    }
    if (status === 200) return;
    throw status >= 500 || status === 429 || status === 408 ? notYet(60) : notFound();
  }

  #noteFailure(url: string, host: string, error: unknown): void {
    if (!isRookeryError(error)) return;
    const forGood = error.code === 'not_found';
    this.#failed.set(url, { until: Date.now() + (forGood ? LATER : SOON), forGood });
    if (!forGood) this.#resting.set(host, Date.now() + HOST_REST);
  }
}

const ACCEPTED = 'image/*, video/*, audio/*, */*;q=0.1';
const isNoText = (type: string): boolean => !/^(?:text\/|application\/(?:\w+\+)?json)/i.test(type.trim());
const beginningsOf = (host: string): string => `beginnings of ${host}`;

const isFor = (error: unknown, ...codes: FetchFailure[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code as FetchFailure);
