import { setImmediate as nextTurn } from 'node:timers/promises';
import { AccessDeniedError, START, streamNameFilter } from '@eventstore/db-client';
import type { AllStreamResolvedEvent } from '@eventstore/db-client';
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
    const feed = openFeed(connection, position, options);
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
    await report(connection, call, feed.failure(), options);
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

interface Feed {
  /**
   * Returns the available events, at least one; undefined when the connection broke, the server ended the
   * feed or the signal aborted.
   */
  next(limit: number): Promise<StoredEvent[] | undefined>;
  /** Returns the reason why the feed ended, if the server or the connection gave one. */
  failure(): Error | undefined;
  close(): void;
}

/** One subscription over one connection. */
function openFeed(connection: Connection, after: bigint, options: FollowOptions): Feed {
  const { signal, deadlineMs, streams, stored } = options;
  const { lost } = connection;
  const subscription = connection.client.subscribeToAll(
    {
      fromPosition: after === 0n ? START : { commit: after, prepare: after },
      filter: streamNameFilter({ regex: streams.source, maxSearchWindow: 1000 }),
    },
    { highWaterMark: BUFFERED_EVENTS },
  );
  let failure: Error | undefined;
  let ended = false;
  let wake = (): void => {};

  const fail = (error: Error): void => {
    failure ??= error;
    wake();
  };
  const onAbort = (): void => wake();
  const unconfirmed = setTimeout(() => fail(new Silence(deadlineMs)), deadlineMs);
  const onLost = (): void => fail(new Error('The connection was given up'));
  signal.addEventListener('abort', onAbort);
  lost.addEventListener('abort', onLost);
  subscription.on('confirmation', () => clearTimeout(unconfirmed));
  subscription.on('readable', () => wake());
  subscription.on('error', fail);
  subscription.on('end', () => {
    ended = true;
    wake();
  });

  /** Moves buffered events into the batch, up to its bounds. Returns true when the batch is full. */
  const take = (batch: StoredEvent[], limit: number): boolean => {
    let characters = batch.reduce((sum, event) => sum + event.data.length, 0);
    while (batch.length < limit && characters < BATCH_CHARACTERS) {
      const resolved = subscription.read() as AllStreamResolvedEvent | null;
      if (resolved === null) return false;
      const event = stored(resolved);
      if (event === undefined || event.position <= after) continue;
      batch.push(event);
      characters += event.data.length;
    }
    return true;
  };

  return {
    async next(limit) {
      const batch: StoredEvent[] = [];
      while (!signal.aborted) {
        const full = take(batch, limit);
        if (full) return batch;
        if (batch.length > 0) {
          // During a catch-up, more events are already in the socket: one turn of the loop, not a delay.
          await nextTurn();
          if (subscription.readableLength === 0) return batch;
          continue;
        }
        if (failure instanceof AccessDeniedError) throw failure;
        if (isInvalidPosition(failure)) throw new NoSuchPosition(after, failure);
        if (failure !== undefined || ended) return undefined;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return undefined;
    },
    failure: () => failure,
    close() {
      clearTimeout(unconfirmed);
      lost.removeEventListener('abort', onLost);
      signal.removeEventListener('abort', onAbort);
      subscription.unsubscribe().catch(() => {});
      // The client forgets a call only once all its results are read.
      subscription.removeAllListeners('readable');
      subscription.resume();
    },
  };
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
