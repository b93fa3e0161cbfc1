import { setTimeout as sleep } from 'node:timers/promises';
import {
  BACKWARDS,
  END,
  NO_STREAM as NO_STREAM_YET,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { Connection, within } from './eventstoredb-connection.ts';
import { toEventData, toStoredEvent } from './eventstoredb-encoding.ts';
import {
  causeOf,
  isFailedDiscovery,
  isInvalidPosition,
  isOutage,
  isPassing,
} from './eventstoredb-failures.ts';
import { AT_LEADER, goThrough, Head, type Resolved, type Source } from './eventstoredb-reading.ts';
import { followAll } from './eventstoredb-subscription.ts';
import { connectionString, firstServer } from './eventstoredb-url.ts';
import { LogUnavailable, NO_STREAM, NoSuchPosition, RevisionConflict, StreamDeleted } from './port.ts';
import type { AppendResult, EncodedEvent, EventStore, StoredEvent } from './port.ts';

export interface EventStoreDbOptions {
  /**
   * The streams of this program, in the regular expressions that JavaScript and .NET share; all of them
   * unless given.
   */
  streams?: RegExp;
  /** Milliseconds that an append may take in total, and that a read may stay silent. Default 5000. */
  deadlineMs?: number;
  /** Milliseconds before a dropped subscription reconnects; doubled up to `maxBackOffMs`. Default 100 and 5000. */
  backOffMs?: number;
  maxBackOffMs?: number;
  /** Called with the reason each time that an attempt to follow the log fails. */
  onOutage?: (error: unknown) => void;
}

/** Streams whose names begin with `$` belong to the server itself. */
const ALL_STREAMS = /^[^$]/;

/**
 * Opens the event log on EventStoreDB 22.10 or newer. `url` is its connection string (`esdb://`, `kurrentdb://`, each with or without
 * `+discover`). On a secured server the user needs the right to read `$all`.
 * https://developers.eventstore.com/clients/grpc/getting-started.html#connection-string
 * @throws LogUnavailable with the cause when the server does not answer within the deadline; ConfigError for a malformed url
 */
export async function openEventStoreDb(url: string, options: EventStoreDbOptions = {}): Promise<EventStore> {
  const store = new EventStoreDb(new Connection(url), options);
  try {
    await store.head();
    return store;
  } catch (error) {
    await store.close();
    if (!(error instanceof LogUnavailable)) throw error;
    const cause = isFailedDiscovery(error.cause) ? await failureOfFirst(url, options) : error.cause;
    throw new LogUnavailable(`EventStoreDB cannot be reached: ${causeOf(cause ?? error)}`, cause);
  }
}

/**
 * The client does not say why it found no cluster; the first server does. @returns undefined when that server
 * answers
 */
async function failureOfFirst(url: string, options: EventStoreDbOptions): Promise<unknown> {
  const alone = new EventStoreDb(new Connection(firstServer(connectionString(url))), options);
  try {
    return await alone.head().then(
      () => new Error('The servers named do not tell of a cluster'),
      (error: unknown) => (error instanceof LogUnavailable ? error.cause : error),
    );
  } finally {
    await alone.close();
  }
}

const STREAMS_AT_A_TIME = 16;
/** Milliseconds. */
const VERSION_WITHIN = 1_000;

class EventStoreDb implements EventStore {
  readonly #connection: Connection;
  readonly #options: Required<Omit<EventStoreDbOptions, 'onOutage'>> & Pick<EventStoreDbOptions, 'onOutage'>;
  readonly #closing = new AbortController();
  readonly #head: Head;
  /** Merges equal concurrent appends: the server delays the second for seconds, and then fails it. */
  readonly #pending = new Map<string, Promise<AppendResult>>();

  constructor(connection: Connection, options: EventStoreDbOptions) {
    const defaults = { streams: ALL_STREAMS, deadlineMs: 5000, backOffMs: 100, maxBackOffMs: 5000 };
    this.#connection = connection;
    this.#options = { ...defaults, ...options };
    this.#head = new Head(
      connection.client,
      this.#options.deadlineMs,
      (resolved) => this.#stored(resolved)?.position,
    );
  }

  append(stream: string, expectedRevision: number, events: readonly EncodedEvent[]): Promise<AppendResult> {
    const key = JSON.stringify([stream, expectedRevision, ...events.map(({ id }) => id)]);
    const first = this.#pending.get(key);
    if (first) return first;
    const appended = this.#append(stream, expectedRevision, events).finally(() => this.#pending.delete(key));
    this.#pending.set(key, appended);
    return appended;
  }

  async readStream(stream: string, from = 0, limit = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> {
    const options = { ...AT_LEADER, fromRevision: BigInt(from), maxCount: limit };
    try {
      return await this.#reach('read a stream', () =>
        this.#collect(this.#connection.client.readStream(stream, options), limit),
      );
    } catch (error) {
      if (error instanceof StreamNotFoundError) return [];
      throw namingDeleted(stream, error);
    }
  }

  async readStreams(streams: readonly string[]): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let from = 0; from < streams.length; from += STREAMS_AT_A_TIME) {
      const some = streams.slice(from, from + STREAMS_AT_A_TIME);
      events.push(...(await Promise.all(some.map((stream) => this.readStream(stream)))).flat());
    }
    return events.sort((one, other) => (one.position < other.position ? -1 : 1));
  }

  async readAll(after: bigint, limit: number): Promise<StoredEvent[]> {
    const end = await this.head();
    if (after >= end) return [];
    const fromPosition = after === 0n ? START : ({ commit: after, prepare: after } as const);
    try {
      // The server begins with the event at `after` itself. After the head there are only records of others.
      const events = await this.#reach('read the log', () =>
        this.#collect(this.#connection.client.readAll({ ...AT_LEADER, fromPosition }), limit + 1, end),
      );
      return events.filter((event) => event.position > after).slice(0, limit);
    } catch (error) {
      throw isInvalidPosition(error) ? new NoSuchPosition(after, error) : error;
    }
  }

  async readBack(before: bigint | undefined, limit: number): Promise<StoredEvent[]> {
    const fromPosition = before === undefined ? END : ({ commit: before, prepare: before } as const);
    const options = { ...AT_LEADER, direction: BACKWARDS, fromPosition } as const;
    try {
      // One more, since the event at `before` may be among them.
      const events = await this.#reach('read the log', () =>
        this.#collect(this.#connection.client.readAll(options), limit + 1),
      );
      return events.filter(({ position }) => before === undefined || position < before).slice(0, limit);
    } catch (error) {
      throw before !== undefined && isInvalidPosition(error) ? new NoSuchPosition(before, error) : error;
    }
  }

  async find(position: bigint): Promise<StoredEvent | undefined> {
    if (position <= 0n || position > (await this.head())) return undefined;
    const fromPosition = { commit: position, prepare: position };
    try {
      const [event] = await this.#reach('read the log', () =>
        this.#collect(this.#connection.client.readAll({ ...AT_LEADER, fromPosition }), 1),
      );
      return event?.position === position ? event : undefined;
    } catch (error) {
      if (isInvalidPosition(error)) return undefined;
      throw error;
    }
  }

  head(): Promise<bigint> {
    return this.#reach('tell its head', () => this.#head.read());
  }

  subscribeAll(
    after: bigint,
    { batchSize, signal }: { batchSize: number; signal: AbortSignal },
  ): AsyncIterable<StoredEvent[]> {
    return followAll(this.#connection, after, {
      ...this.#options,
      batchSize,
      signal: AbortSignal.any([signal, this.#closing.signal]),
      stored: (resolved) => this.#stored(resolved),
    });
  }

  serverVersion(): Promise<string | undefined> {
    return within(VERSION_WITHIN, this.#connection.version()).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#connection.close(this.#options.deadlineMs);
  }

  /**
   * Repeats an action that did not reach the server, until the deadline. Actions are reads or idempotent
   * appends.
   */
  async #reach<Result>(what: string, action: (remainingMs: number) => Promise<Result>): Promise<Result> {
    const end = performance.now() + this.#options.deadlineMs;
    for (let pause = 20; ; pause *= 2) {
      if (this.#closing.signal.aborted) throw new LogUnavailable('The log is closed');
      const call = this.#connection.begin();
      try {
        return await action(Math.max(end - performance.now(), 1));
      } catch (error) {
        if (!isOutage(error)) throw error;
        await this.#connection.failed(call, error);
        const repeats = isPassing(error) && performance.now() + pause < end;
        if (!repeats) throw new LogUnavailable(`EventStoreDB did not ${what}: ${causeOf(error)}`, error);
        await sleep(pause);
      }
    }
  }

  /** Collects at most so many events, up to a position. */
  async #collect(source: Source, most: number, last?: bigint): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    await goThrough(source, this.#options.deadlineMs, (resolved) => {
      const event = most > 0 ? this.#stored(resolved) : undefined;
      if (event) events.push(event);
      return events.length >= most || (last !== undefined && event !== undefined && event.position >= last);
    });
    return events;
  }

  async #append(
    stream: string,
    expectedRevision: number,
    events: readonly EncodedEvent[],
  ): Promise<AppendResult> {
    if (events.length === 0) throw new RangeError('An append has at least one event');
    if (!this.#options.streams.test(stream)) throw new RangeError(`This log has no stream ${stream}`);
    const result = await this.#send(stream, expectedRevision, events);
    this.#head.saw(result.position);
    return result;
  }

  async #send(
    stream: string,
    expectedRevision: number,
    events: readonly EncodedEvent[],
  ): Promise<AppendResult> {
    const data = events.map(toEventData);
    const at = expectedRevision === NO_STREAM ? NO_STREAM_YET : BigInt(expectedRevision);
    const { client } = this.#connection;
    try {
      const { position } = await this.#reach('append', (remainingMs) =>
        within(
          remainingMs,
          client.appendToStream(stream, data, { ...AT_LEADER, expectedRevision: at, deadline: remainingMs }),
        ),
      );
      if (position) return { revision: expectedRevision + events.length, position: position.commit };
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw namingDeleted(stream, error);
      const { actualVersion } = error;
      const actual = typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_STREAM;
      // The server recognises a repeated append only as far as its index is current. The stream decides.
      const result =
        actual > expectedRevision ? await this.#standing(stream, expectedRevision, events) : undefined;
      if (result) return result;
      throw new RevisionConflict(stream, expectedRevision, actual);
    }
    // A repeated append that is not yet replicated returns no position.
    const result = await this.#standing(stream, expectedRevision, events);
    if (!result) throw new LogUnavailable('EventStoreDB took an append and does not show it');
    return result;
  }

  /**
   * Returns the position of these events when they already follow the expected revision, one after the other.
   */
  async #standing(
    stream: string,
    expectedRevision: number,
    events: readonly EncodedEvent[],
  ): Promise<AppendResult | undefined> {
    const there = await this.readStream(stream, expectedRevision + 1, events.length);
    const last = there.at(-1);
    const same = there.length === events.length && events.every((event, i) => event.id === there[i]?.id);
    return same && last ? { revision: last.revision, position: last.position } : undefined;
  }

  #stored(resolved: Resolved): StoredEvent | undefined {
    return toStoredEvent(resolved, this.#options.streams);
  }
}

const namingDeleted = (stream: string, error: unknown): unknown =>
  error instanceof StreamDeletedError ? new StreamDeleted(stream, error) : error;
