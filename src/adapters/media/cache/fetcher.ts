import { LRUCache } from 'lru-cache';
import { isRookeryError, notFound, RookeryError } from '../../../kernel/errors.ts';
import { atMost } from '../../../kernel/lru.ts';
import type { OnBehalf } from '../../../kernel/on-behalf.ts';
import type { FetchFailure, HttpClient } from '../../../kernel/services/http-client.ts';
import { fairSemaphore, type Semaphore } from '../../../kernel/concurrency.ts';

/** Requests at once, and how many wait. */
const IN_ALL = { running: 24, waiting: 400 };
const PER_HOST = { running: 4, waiting: 100 };
/** Milliseconds for one file. */
const DEADLINE = 30_000;
/** How long a host that does not answer is left alone, and a file that cannot be had. Milliseconds. */
const HOST_REST = 30_000;
const SOON = 60_000;
const LATER = 3_600_000;
const MAX_REMEMBERED = 20_000;

/** It may be there later. */
export const notYet = (seconds: number): RookeryError =>
  new RookeryError('unavailable', 'This file is not here yet', {
    headers: { 'Retry-After': String(seconds) },
  });

/** Fetches files of other servers, a bounded number at once, and remembers what could not be had. */
export class RemoteFileFetcher {
  readonly #http: HttpClient;
  readonly #inAll = fairSemaphore(IN_ALL);
  readonly #hosts = new LRUCache<string, Semaphore>(atMost(5_000));
  /** By host: the end of its rest, in milliseconds since 1970. */
  readonly #resting = new LRUCache<string, number>(atMost(5_000));
  /** By address: until when it is not asked for. */
  readonly #failed = new LRUCache<string, { until: number; forGood: boolean }>(atMost(MAX_REMEMBERED));

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Writes a file. @throws RookeryError `not_found`, or `unavailable` where it may be had later */
  async fetch(
    url: string,
    { into, maxBytes, onBehalf }: { into: string; maxBytes: number; onBehalf?: OnBehalf },
  ): Promise<void> {
    const { host } = new URL(url);
    const hostLimit = this.#hosts.get(host) ?? fairSemaphore(PER_HOST);
    this.#hosts.set(host, hostLimit);
    const fetching = async (): Promise<void> => {
      // Others may have found out while this one waited.
      this.assertHopeful(url);
      try {
        await this.#ask(url, into, maxBytes);
      } catch (error) {
        this.#noteFailure(url, host, error);
        throw error;
      }
    };
    await hostLimit(() => this.#inAll(fetching, onBehalf), onBehalf);
  }

  /**
   * @param use names what is to be made of the file, where one knows
   * @throws RookeryError as `fetch`, where it is known that a file cannot be had now, or that nothing can be made of it
   */
  assertHopeful(url: string, use = ''): void {
    for (const failed of [this.#failed.get(url), this.#failed.get(`${use} ${url}`)]) {
      if (failed && failed.until > Date.now()) throw failed.forGood ? notFound() : notYet(60);
    }
    const restsUntil = this.#resting.get(new URL(url).host) ?? 0;
    if (restsUntil > Date.now()) throw notYet(30);
  }

  /** Remembers that nothing can be made of a file for this use. */
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
        headers: { Accept: 'image/*, video/*, audio/*, */*;q=0.1' },
        accepts: (type) => !/^(?:text\/|application\/(?:\w+\+)?json)/i.test(type.trim()),
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

const isFor = (error: unknown, ...codes: FetchFailure[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(error.code as FetchFailure);
