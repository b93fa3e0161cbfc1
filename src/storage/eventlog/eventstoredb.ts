import { setTimeout as sleep } from 'node:timers/promises';
import { StreamDeletedError } from '@eventstore/db-client';
import { Appends } from './eventstoredb-appends.ts';
import { Connection, within } from './eventstoredb-connection.ts';
import { fromWire, type Ownership } from './eventstoredb-encoding.ts';
import {
  causeOf,
  isFailedDiscovery,
  isInvalidPosition,
  isOutage,
  isPassing,
  isUnexplained,
} from './eventstoredb-failures.ts';
import { ForeignStreams } from './eventstoredb-foreign.ts';
import { Forwards } from './eventstoredb-forwards.ts';
import { goThrough, Head } from './eventstoredb-reading.ts';
import { readBefore, readFrom, readOfStream } from './eventstoredb-requests.ts';
import { followAll } from './eventstoredb-subscription.ts';
import { connectionString, firstServer } from './eventstoredb-url.ts';
import type { WireEvent } from './eventstoredb-wire.ts';
import type { AppendResult, EncodedEvent, EventStore, ForeignEvent, StoredEvent } from './port.ts';
import { LogUnavailable, NoSuchPosition, RevisionConflict, StreamDeleted } from './port.ts';

export interface EventStoreDbOptions {
  /**
   * The streams of this program, in the regular expressions that JavaScript and .NET share; all of them
   * unless given.
   */
  streams?: RegExp;
  /** Tells whether stored metadata carries the mark of this program; all of it does unless given. */
  isMarked?: (metadata: string) => boolean;
  /** Called with the first event without the mark in each of these streams. */
  onForeign?: (event: ForeignEvent) => void;
  /** Milliseconds that an append may take in total, and that a read may stay silent. Default 5000. */
  deadlineMs?: number;
  /** Milliseconds before a dropped subscription reconnects; doubled up to `maxBackOffMs`. Default 100 and 5000. */
  backOffMs?: number;
  maxBackOffMs?: number;
  /** Called with the reason each time that an attempt to follow the log fails. */
  onOutage?: (error: unknown) => void;
}

const DEFAULTS = {
  /** Streams whose names begin with `$` belong to the server itself. */
  streams: /^[^$]/,
  isMarked: () => true,
  deadlineMs: 5000,
  backOffMs: 100,
  maxBackOffMs: 5000,
};

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
/** Tries of an append while another program writes to the stream. */
const TRIES = 8;
/** Milliseconds. */
const VERSION_WITHIN = 1_000;
/** Milliseconds after which a server that does not tell its head to an idle subscription counts as hung. */
const PROBED_WITHIN = 2_000;

class EventStoreDb implements EventStore {
  readonly #connection: Connection;
  readonly #options: Required<Omit<EventStoreDbOptions, 'onOutage' | 'onForeign'>> &
    Pick<EventStoreDbOptions, 'onOutage'>;
  readonly #ownership: Ownership;
  readonly #closing = new AbortController();
  readonly #head: Head;
  readonly #forwards: Forwards;
  readonly #appends: Appends;
  /** Merges equal concurrent appends: the server delays the second for seconds, and then fails it. */
  readonly #pending = new Map<string, Promise<AppendResult>>();

  constructor(connection: Connection, options: EventStoreDbOptions) {
    this.#connection = connection;
    this.#options = { ...DEFAULTS, ...options };
    const { streams, isMarked, deadlineMs: silenceMs } = this.#options;
    const foreign = new ForeignStreams(options.onForeign);
    this.#ownership = { streams, isMarked, onForeign: (event) => foreign.saw(event) };
    this.#head = new Head(connection, silenceMs, (event) => this.#stored(event) !== undefined);
    const head = (): Promise<bigint> => this.#head.read();
    this.#appends = new Appends(connection);
    this.#forwards = new Forwards(connection, { ownership: this.#ownership, silenceMs, head });
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
    try {
      return await this.#reach('read a stream', () => this.#pageOf(stream, from, limit));
    } catch (error) {
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
    try {
      return await this.#reach('read the log', () =>
        this.#explained(after, this.#forwards.page(after, limit)),
      );
    } catch (error) {
      throw isInvalidPosition(error) ? new NoSuchPosition(after, error) : error;
    }
  }

  async readBack(before: bigint | undefined, limit: number): Promise<StoredEvent[]> {
    try {
      // One more, since the event at `before` may be among them.
      const events = await this.#reach('read the log', () => this.#collect(readBefore(before), limit + 1));
      return events.filter(({ position }) => before === undefined || position < before).slice(0, limit);
    } catch (error) {
      throw before !== undefined && isInvalidPosition(error) ? new NoSuchPosition(before, error) : error;
    }
  }

  async find(position: bigint): Promise<StoredEvent | undefined> {
    if (position <= 0n || position > (await this.head())) return undefined;
    try {
      const [event] = await this.#reach('read the log', () => this.#collect(readFrom(position, 1), 1));
      return event?.position === position ? event : undefined;
    } catch (error) {
      if (isInvalidPosition(error)) return undefined;
      throw error;
    }
  }

  async foreignIn(stream: string): Promise<ForeignEvent | undefined> {
    let found: ForeignEvent | undefined;
    const ownership = { ...this.#ownership, onForeign: (event: ForeignEvent) => (found ??= event) };
    try {
      await this.#reach('read a stream', () =>
        goThrough(
          this.#connection.read(readOfStream(stream, 0)),
          this.#options.deadlineMs,
          (event) => fromWire(event, ownership) === undefined && found !== undefined,
        ),
      );
    } catch (error) {
      throw namingDeleted(stream, error);
    }
    return found;
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
      stored: (event) => this.#stored(event),
      explain: (position, failure) => this.#explain(position, failure),
      known: () => this.#head.newest,
      ask: () => this.#probe(),
    });
  }

  serverVersion(): Promise<string | undefined> {
    return within(VERSION_WITHIN, this.#connection.version()).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#forwards.close();
    await this.#connection.close(this.#options.deadlineMs);
  }

  /** Reads the head once. Gives up the channel of a server that stays silent. */
  async #probe(): Promise<void> {
    const call = this.#connection.begin();
    const withinMs = Math.min(this.#options.deadlineMs, PROBED_WITHIN);
    await within(withinMs, this.#head.read()).catch((error: unknown) => this.#connection.failed(call, error));
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

  /** Collects at most so many events. */
  async #collect(request: Buffer, most: number): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    await goThrough(this.#connection.read(request), this.#options.deadlineMs, (sent) => {
      const event = most > 0 ? this.#stored(sent) : undefined;
      if (event) events.push(event);
      return events.length >= most;
    });
    return events;
  }

  /** Collects at most so many events of one stream. */
  async #pageOf(stream: string, from: number, most: number): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (let next = from; most > 0;) {
      const maxCount = most - events.length;
      const read = this.#connection.read(readOfStream(stream, next, maxCount));
      let seen = 0;
      await goThrough(read, this.#options.deadlineMs, (sent) => {
        seen += 1;
        next = sent.revision + 1;
        const event = this.#stored(sent);
        if (event) events.push(event);
        return false;
      });
      // The events of other programs count as well.
      if (seen < maxCount || events.length >= most) break;
    }
    return events;
  }

  async #explained<Result>(position: bigint, work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      await this.#explain(position, error);
      throw error;
    }
  }

  /**
   * Servers before 24.4 do not say that a call failed because there is no event at its position; a plain read
   * does.
   * @throws the error of such a read
   */
  async #explain(position: bigint, failure: unknown): Promise<void> {
    if (position === 0n || !isUnexplained(failure)) return;
    await this.#collect(readFrom(position, 1), 1).catch((error: unknown) => {
      if (isInvalidPosition(error)) throw error;
    });
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
    tries = TRIES,
  ): Promise<AppendResult> {
    const appended = await this.#reach('append', (remainingMs) =>
      this.#appends.send({ stream, expectedRevision, events }, remainingMs),
    ).catch((error: unknown) => {
      throw namingDeleted(stream, error);
    });
    if ('actual' in appended) {
      const { actual } = appended;
      if (actual > expectedRevision) {
        // The server recognises a repeated append only as far as its index is current. The stream decides.
        const result = await this.#standing(stream, expectedRevision, events);
        if (result) return result;
        // Only another program has written since, and its events are left out.
        if (tries > 1 && (await this.readStream(stream, expectedRevision + 1, 1)).length === 0)
          return this.#send(stream, actual, events, tries - 1);
      }
      throw new RevisionConflict(stream, expectedRevision, actual);
    }
    const { position } = appended;
    if (position !== undefined) return { revision: expectedRevision + events.length, position };
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

  #stored(event: WireEvent): StoredEvent | undefined {
    return fromWire(event, this.#ownership);
  }
}

const namingDeleted = (stream: string, error: unknown): unknown =>
  error instanceof StreamDeletedError ? new StreamDeleted(stream, error) : error;
