import { setImmediate as nextTurn } from 'node:timers/promises';
import { AccessDeniedError, convertToCommandError } from '@eventstore/db-client';
import { pause } from '#kernel/pause.ts';
import { type Call, cancelRead, type Connection, type WireRead } from './eventstoredb-connection.ts';
import { isInvalidPosition, Silence } from './eventstoredb-failures.ts';
import { Liveness } from './eventstoredb-liveness.ts';
import { subscribeAfter } from './eventstoredb-requests.ts';
import type { WireEvent, WireResult } from './eventstoredb-wire.ts';
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
  stored: (event: WireEvent) => StoredEvent | undefined;
  /** Throws when such a failure means that there is no event at a position. */
  explain: (position: bigint, failure: unknown) => Promise<void>;
  /** Returns the newest position that this process knows. */
  known: () => bigint;
  /** Reads the head of the log, which `known` then returns. */
  ask: () => Promise<unknown>;
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
    await explain(position, feed.failure, options);
    await report(connection, call, feed.failure, options);
    await backOff(drops, options);
    drops += 1;
  }
}

/** Events that wait in this process for a slow consumer. Beyond that, HTTP/2 flow control stops the server. */
const BUFFERED_EVENTS = 64;
/** The maximum of milliseconds that a server gets to confirm a subscription. */
const CONFIRMED_WITHIN = 3_000;
/** A batch ends at about this many characters, whatever `batchSize` says. */
const BATCH_CHARACTERS = 8 * 1024 * 1024;

/** One subscription over one connection. */
class Feed {
  readonly #after: bigint;
  readonly #options: FollowOptions;
  readonly #lost: AbortSignal;
  readonly #unconfirmed: NodeJS.Timeout;
  readonly #liveness: Liveness;
  /** The position of the last event that was taken from the subscription. */
  #position: bigint;
  #read: WireRead | undefined;
  readonly #sent: StoredEvent[] = [];
  #failure: Error | undefined;
  #ended = false;
  #closed = false;
  #wake = (): void => {};

  constructor(connection: Connection, after: bigint, options: FollowOptions) {
    this.#after = after;
    this.#position = after;
    this.#options = options;
    this.#lost = connection.lost;
    const withinMs = Math.min(options.deadlineMs, CONFIRMED_WITHIN);
    this.#unconfirmed = setTimeout(() => this.#fail(new Silence(withinMs)), withinMs);
    this.#liveness = new Liveness({
      position: () => this.#position,
      known: options.known,
      ask: options.ask,
      onDeaf: () => this.#onDeaf(),
    });
    options.signal.addEventListener('abort', this.#onAbort);
    this.#lost.addEventListener('abort', this.#onLost);
    connection.subscribe(subscribeAfter(after, options.streams)).then(
      (read) => this.#begin(read),
      (error: unknown) => this.#fail(error as Error),
    );
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
        if (this.#sent.length === 0) return batch;
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
    this.#liveness.stop();
    this.#lost.removeEventListener('abort', this.#onLost);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#closed = true;
    if (this.#read) cancelRead(this.#read);
  }

  #begin(read: WireRead): void {
    // After a cancelled call, too, an error needs a listener.
    read.on('error', (error) => this.#fail(convertToCommandError(error)));
    if (this.#closed) return cancelRead(read);
    this.#read = read;
    read.on('data', (result: WireResult) => this.#receive(read, result));
    read.on('end', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** The first message confirms the subscription. Some others are checkpoints. */
  #receive(read: WireRead, { event: sent }: WireResult): void {
    clearTimeout(this.#unconfirmed);
    this.#liveness.hear();
    const event = sent && this.#options.stored(sent);
    if (event === undefined || event.position <= this.#after) return;
    this.#sent.push(event);
    if (this.#sent.length >= BUFFERED_EVENTS) read.pause();
    this.#wake();
  }

  #onAbort = (): void => this.#wake();
  #onLost = (): void => this.#fail(new Error('The connection was given up'));

  /** Events that wait for a slow consumer were heard. */
  #onDeaf(): void {
    if (this.#sent.length > 0) return;
    this.#fail(new Error('EventStoreDB does not send the newest events to the subscription'));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  /** Moves buffered events into the batch, up to its bounds. Returns true when the batch is full. */
  #take(batch: StoredEvent[], limit: number): boolean {
    let characters = batch.reduce((sum, event) => sum + event.data.length, 0);
    let taken = 0;
    for (const event of this.#sent) {
      if (batch.length >= limit || characters >= BATCH_CHARACTERS) break;
      taken += 1;
      this.#position = event.position;
      batch.push(event);
      characters += event.data.length;
    }
    this.#sent.splice(0, taken);
    if (this.#read?.isPaused() === true && this.#sent.length < BUFFERED_EVENTS) this.#read.resume();
    return batch.length >= limit || characters >= BATCH_CHARACTERS;
  }
}

async function explain(position: bigint, failure: unknown, options: FollowOptions): Promise<void> {
  await options.explain(position, failure).catch((error: unknown) => {
    throw new NoSuchPosition(position, error);
  });
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
