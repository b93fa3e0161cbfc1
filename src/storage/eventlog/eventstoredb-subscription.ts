import { setImmediate as nextTurn } from 'node:timers/promises';
import { AccessDeniedError, START, streamNameFilter } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client';
import { pause } from '../../kernel/pause.ts';
import type { Call, Connection } from './eventstoredb-connection.ts';
import { isInvalidPosition, Silence } from './eventstoredb-failures.ts';
import { NoSuchPosition, type StoredEvent, type SubscribeOptions } from './port.ts';

export interface FollowOptions extends SubscribeOptions {
  /** Milliseconds that the server gets to confirm a subscription. */
  deadlineMs: number;
  /** Milliseconds before the first reconnect; they double up to `maxBackOffMs`. */
  backOffMs: number;
  maxBackOffMs: number;
  /** The streams to follow; the server skips all others. */
  streams: RegExp;
  /** Returns the event, or undefined when it is in none of these streams. */
  stored: (resolved: AllStreamResolvedEvent) => StoredEvent | undefined;
  onOutage?: ((error: unknown) => void) | undefined;
}

/**
 * Follows `$all` after a position, across dropped connections, until the signal aborts. After a drop it
 * resumes after the last event that it yielded, so nothing is lost or repeated.
 * @throws AccessDeniedError, NoSuchPosition, since no attempt can succeed
 */
export async function* followAll(
  connection: Connection,
  after: bigint,
  options: FollowOptions,
): AsyncGenerator<StoredEvent[], void, undefined> {
  const { batchSize, signal } = options;
  let position = after;
  let drops = 0;
  while (!signal.aborted) {
    const call = connection.begin();
    const feed = new Feed(connection, position, options);
    try {
      for (let batch = await feed.next(batchSize); batch !== undefined; batch = await feed.next(batchSize)) {
        position = batch.at(-1)?.position ?? position;
        drops = 0;
        yield batch;
      }
    } finally {
      feed.close();
    }
    if (signal.aborted) return;
    await report(connection, call, feed.failure, options);
    await backOff(drops, options);
    drops += 1;
  }
}

/**
 * Events that wait in this process for a slow consumer, in each of the two buffers. Beyond that, HTTP/2 flow
 * control stops the server.
 */
const BUFFERED_EVENTS = 32;
/** A batch ends at about this many characters, whatever `batchSize` says. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;

/** One subscription over one connection. */
class Feed {
  readonly #subscription: AllStreamSubscription;
  readonly #after: bigint;
  readonly #options: FollowOptions;
  readonly #lost: AbortSignal;
  readonly #unconfirmed: NodeJS.Timeout;
  #failure: Error | undefined;
  #ended = false;
  #wake = (): void => {};

  constructor(connection: Connection, after: bigint, options: FollowOptions) {
    this.#after = after;
    this.#options = options;
    this.#lost = connection.lost;
    this.#subscription = connection.client.subscribeToAll(
      {
        fromPosition: after === 0n ? START : { commit: after, prepare: after },
        filter: streamNameFilter({ regex: options.streams.source, maxSearchWindow: 1000 }),
      },
      { highWaterMark: BUFFERED_EVENTS },
    );
    const { deadlineMs } = options;
    this.#unconfirmed = setTimeout(() => this.#fail(new Silence(deadlineMs)), deadlineMs);
    options.signal.addEventListener('abort', this.#onAbort);
    this.#lost.addEventListener('abort', this.#onLost);
    this.#subscription.on('confirmation', () => clearTimeout(this.#unconfirmed));
    this.#subscription.on('readable', () => this.#wake());
    this.#subscription.on('error', (error) => this.#fail(error));
    this.#subscription.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** The reason why the feed ended, if the server or the connection gave one. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /**
   * Returns the available events, at least one; undefined when the connection broke, the server ended the
   * feed or the signal aborted.
   */
  async next(limit: number): Promise<StoredEvent[] | undefined> {
    const batch: StoredEvent[] = [];
    while (!this.#options.signal.aborted) {
      const full = this.#take(batch, limit);
      if (full) return batch;
      if (batch.length > 0) {
        // During a catch-up, more events are already in the socket: one turn of the loop, not a delay.
        await nextTurn();
        if (this.#subscription.readableLength === 0) return batch;
        continue;
      }
      if (this.#failure instanceof AccessDeniedError) throw this.#failure;
      if (isInvalidPosition(this.#failure)) throw new NoSuchPosition(this.#after, this.#failure);
      if (this.#failure !== undefined || this.#ended) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return undefined;
  }

  close(): void {
    clearTimeout(this.#unconfirmed);
    this.#lost.removeEventListener('abort', this.#onLost);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#subscription.unsubscribe().catch(() => {});
    // The client forgets a call only once all its results are read.
    this.#subscription.removeAllListeners('readable');
    this.#subscription.resume();
  }

  #onAbort = (): void => this.#wake();
  #onLost = (): void => this.#fail(new Error('The connection was given up'));

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  /** Moves buffered events into the batch, up to its bounds. Returns true when the batch is full. */
  #take(batch: StoredEvent[], limit: number): boolean {
    let characters = batch.reduce((sum, event) => sum + event.data.length, 0);
    while (batch.length < limit && characters < BATCH_CHARACTERS) {
      const resolved = this.#subscription.read() as AllStreamResolvedEvent | null;
      if (resolved === null) return false;
      const event = this.#options.stored(resolved);
      if (event === undefined || event.position <= this.#after) continue;
      batch.push(event);
      characters += event.data.length;
    }
    return true;
  }
}

async function report(
  connection: Connection,
  call: Call,
  failure: Error | undefined,
  { onOutage }: FollowOptions,
): Promise<void> {
  if (failure) onOutage?.(failure);
  await connection.failed(call, failure);
}

/**
 * Waits longer after each consecutive drop, with jitter, so that many processes do not reconnect together.
 */
async function backOff(drops: number, { backOffMs, maxBackOffMs, signal }: FollowOptions): Promise<void> {
  await pause(Math.min(backOffMs * 2 ** drops, maxBackOffMs) * (0.5 + Math.random() / 2), signal);
}
