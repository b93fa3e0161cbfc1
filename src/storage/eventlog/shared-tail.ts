import type { EventStore, StoredEvent, SubscribeOptions } from './port.ts';
import { type LogReader, Tail } from './tail.ts';

/** The maximum of events that the tail takes at a time. */
const BATCH = 1_000;
/** Milliseconds for which the log is followed without followers, so that a follower that begins again finds the events in memory. */
const LINGER = 1_000;

type Source = Pick<EventStore, 'head' | 'subscribeAll'>;

interface Follower extends LogReader {
  /** Called when events have arrived, when the upstream has ended, and when the follower shall end. */
  wake: () => void;
}

/** One subscription of the engine, from the first follower until a moment after the last. */
interface Upstream {
  tail: Tail;
  /** Its end, with the error if it failed. */
  ended: { error?: unknown } | undefined;
}

interface Opening {
  /** Undefined when the log does not tell its head. */
  upstream: Promise<Upstream | undefined>;
  stop: AbortController;
}

/**
 * Follows the log once for all followers in this process. They share the newest events, each in batches of its own size and at its own
 * pace. A follower that is further behind has a subscription of its own until it reaches the shared events.
 */
export class SharedTail {
  readonly #store: Source;
  readonly #followers = new Set<Follower>();
  #opening: Opening | undefined;
  #lingering: NodeJS.Timeout | undefined;

  constructor(store: Source) {
    this.#store = store;
  }

  /** Follows the log as the port describes it. */
  async *subscribeAll(after: bigint, options: SubscribeOptions): AsyncGenerator<StoredEvent[], void> {
    const follower: Follower = { position: after, wake: () => undefined };
    const onAbort = (): void => follower.wake();
    this.#followers.add(follower);
    clearTimeout(this.#lingering);
    options.signal.addEventListener('abort', onAbort);
    try {
      yield* this.#follow(follower, options);
    } finally {
      options.signal.removeEventListener('abort', onAbort);
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#lingering = setTimeout(() => this.close(), LINGER).unref();
    }
  }

  /** Ends the subscription of the engine. The next follower begins another. */
  close(): void {
    clearTimeout(this.#lingering);
    this.#opening?.stop.abort();
    this.#opening = undefined;
  }

  async *#follow(follower: Follower, options: SubscribeOptions): AsyncGenerator<StoredEvent[], void> {
    const { signal } = options;
    let upstream = await this.#meet(follower, signal);
    // Only the engine knows whether the log continues after a position that is not among the shared events.
    let isWithin = upstream?.tail.has(follower.position) ?? false;
    while (!signal.aborted) {
      const goesOn =
        upstream && isWithin
          ? yield* this.#share(follower, options, upstream)
          : yield* this.#readAlone(follower, options, upstream);
      if (!goesOn) return;
      if (!upstream || upstream.ended) upstream = await this.#meet(follower, signal);
      isWithin = upstream !== undefined && follower.position >= upstream.tail.after;
    }
  }

  /**
   * Yields the shared events until the follower is behind them.
   * @returns false when the upstream ended first
   * @throws the error of the upstream
   */
  async *#share(
    follower: Follower,
    { batchSize, signal }: SubscribeOptions,
    upstream: Upstream,
  ): AsyncGenerator<StoredEvent[], boolean> {
    const { tail } = upstream;
    while (!signal.aborted && follower.position >= tail.after) {
      const events = tail.read(follower.position, batchSize);
      if (events) {
        yield events;
        pass(follower, events);
      } else if (!upstream.ended) await new Promise<void>((resolve) => (follower.wake = resolve));
      else if ('error' in upstream.ended) throw upstream.ended.error;
      else return false;
    }
    return true;
  }

  /**
   * Yields events of a subscription of the follower's own, until it reaches the shared events.
   * @returns false when that subscription ended first
   */
  async *#readAlone(
    follower: Follower,
    options: SubscribeOptions,
    upstream: Upstream | undefined,
  ): AsyncGenerator<StoredEvent[], boolean> {
    for await (const events of this.#store.subscribeAll(follower.position, options)) {
      yield events;
      pass(follower, events);
      if (!upstream || upstream.ended || follower.position >= upstream.tail.after) return true;
    }
    return false;
  }

  /** Returns the upstream; undefined when the log does not tell its head, or the signal aborts first. */
  async #meet(follower: Follower, signal: AbortSignal): Promise<Upstream | undefined> {
    if (signal.aborted) return undefined;
    const { upstream } = (this.#opening ??= this.#open());
    const aborted = new Promise<undefined>((resolve) => (follower.wake = () => resolve(undefined)));
    return Promise.race([upstream, aborted]);
  }

  #open(): Opening {
    const stop = new AbortController();
    const upstream = this.#store.head().then(
      (head) => {
        const opened: Upstream = { tail: new Tail(head, this.#followers), ended: undefined };
        void this.#run(opened, head, stop);
        return opened;
      },
      () => {
        this.#forget(stop);
        return undefined;
      },
    );
    return { upstream, stop };
  }

  async #run(upstream: Upstream, head: bigint, stop: AbortController): Promise<void> {
    const options = { batchSize: BATCH, signal: stop.signal };
    try {
      for await (const events of this.#store.subscribeAll(head, options)) {
        upstream.tail.push(events);
        this.#wakeAll();
      }
      upstream.ended = {};
    } catch (error) {
      upstream.ended = { error };
    }
    this.#forget(stop);
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const follower of this.#followers) follower.wake();
  }

  #forget(stop: AbortController): void {
    if (this.#opening?.stop === stop) this.#opening = undefined;
  }
}

/** Moves a follower that asks for more. A follower that fails and begins again finds its last events in memory. */
function pass(follower: Follower, events: readonly StoredEvent[]): void {
  follower.position = events.at(-1)?.position ?? follower.position;
}
