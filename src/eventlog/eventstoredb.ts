import { setTimeout as sleep } from 'node:timers/promises';
import {
  BACKWARDS,
  CancelledError,
  END,
  EventStoreDBClient,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  NO_STREAM as NO_STREAM_YET,
  NotLeaderError,
  START,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type { AllStreamResolvedEvent, ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { toEventData, toStoredEvent } from './eventstoredb-encoding.ts';
import { followAll, isInvalidPosition } from './eventstoredb-subscription.ts';
import { LogUnavailable, NO_STREAM, NoSuchPosition, RevisionConflict } from './port.ts';
import type { AppendResult, EncodedEvent, EventStore, StoredEvent } from './port.ts';

export interface EventStoreDbOptions {
  /** Milliseconds that an append may take in all, and a read may stay silent. Default 5000. */
  deadlineMs?: number;
  /** Milliseconds before a dropped subscription reconnects; doubled up to `maxBackOffMs`. Default 100 and 5000. */
  backOffMs?: number;
  maxBackOffMs?: number;
}

/**
 * The event log on EventStoreDB 22.10 or newer. `url` is its connection string (`esdb://` or `esdb+discover://`). On a
 * secured server the user needs the right to read `$all`.
 * https://developers.eventstore.com/clients/grpc/getting-started.html#connection-string
 * @throws LogUnavailable when the server does not answer within the deadline; Error for a malformed url
 */
export async function openEventStoreDb(url: string, options: EventStoreDbOptions = {}): Promise<EventStore> {
  const { deadlineMs = 5000, backOffMs = 100, maxBackOffMs = 5000 } = options;
  const client = connect(url);
  const closing = new AbortController();

  /** Repeats an action that did not reach the server until the deadline. Actions are reads or idempotent appends. */
  async function reach<Result>(
    what: string,
    action: (remainingMs: number) => Promise<Result>,
  ): Promise<Result> {
    const end = performance.now() + deadlineMs;
    for (let pause = 20; ; pause *= 2) {
      if (closing.signal.aborted) throw new LogUnavailable('The log is closed');
      try {
        return await action(Math.max(end - performance.now(), 1));
      } catch (error) {
        if (!isOutage(error)) throw error;
        const goesOn = isPassing(error) && performance.now() + pause < end;
        if (!goesOn) throw new LogUnavailable(`EventStoreDB did not ${what}`, error);
        await sleep(pause);
      }
    }
  }

  const read = (what: string, source: () => Source, most: number): Promise<StoredEvent[]> =>
    reach(what, () => collect(source(), most, deadlineMs));

  const readStream = (stream: string, from = 0, limit = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> =>
    read(
      'read a stream',
      () => client.readStream(stream, { ...AT_LEADER, fromRevision: BigInt(from), maxCount: limit }),
      limit,
    ).catch((error: unknown) => {
      if (error instanceof StreamNotFoundError) return [];
      throw error;
    });

  async function readAll(after: bigint, limit: number): Promise<StoredEvent[]> {
    const fromPosition = after === 0n ? START : ({ commit: after, prepare: after } as const);
    // The server starts with the event at `after` itself.
    const events = await read('read the log', () => client.readAll({ fromPosition }), limit + 1).catch(
      (error: unknown) => {
        throw isInvalidPosition(error) ? new NoSuchPosition(after, error) : error;
      },
    );
    return events.filter((event) => event.position > after).slice(0, limit);
  }

  async function head(): Promise<bigint> {
    const backwards = { ...AT_LEADER, direction: BACKWARDS, fromPosition: END } as const;
    // Few events of the server stand behind ours, if any. So a small read nearly always does.
    for (const maxCount of [8, Number.MAX_SAFE_INTEGER]) {
      const [newest] = await read('tell its head', () => client.readAll({ ...backwards, maxCount }), 1);
      if (newest) return newest.position;
    }
    return 0n;
  }

  /** Where these events already stand, one after the other, directly behind the expected revision. */
  async function standing(
    stream: string,
    expectedRevision: number,
    events: readonly EncodedEvent[],
  ): Promise<AppendResult | undefined> {
    const there = await readStream(stream, expectedRevision + 1, events.length);
    const last = there.at(-1);
    const same = there.length === events.length && events.every((event, i) => event.id === there[i]?.id);
    return same && last ? { revision: last.revision, position: last.position } : undefined;
  }

  async function append(
    stream: string,
    expectedRevision: number,
    events: readonly EncodedEvent[],
  ): Promise<AppendResult> {
    if (events.length === 0) throw new RangeError('An append has at least one event');
    const data = events.map(toEventData);
    const at = expectedRevision === NO_STREAM ? NO_STREAM_YET : BigInt(expectedRevision);
    try {
      const { position } = await reach('append', (remainingMs) =>
        within(
          remainingMs,
          client.appendToStream(stream, data, { ...AT_LEADER, expectedRevision: at, deadline: remainingMs }),
        ),
      );
      if (position) return { revision: expectedRevision + events.length, position: position.commit };
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      const { actualVersion } = error;
      const actual = typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_STREAM;
      // The server recognises a repeated append itself, as far as its index knows at that moment. The stream has the
      // last word.
      const result = actual > expectedRevision ? await standing(stream, expectedRevision, events) : undefined;
      if (result) return result;
      throw new RevisionConflict(stream, expectedRevision, actual);
    }
    // A repeated append that is not yet replicated comes back without position.
    const result = await standing(stream, expectedRevision, events);
    if (!result) throw new LogUnavailable('EventStoreDB took an append and does not show it');
    return result;
  }

  /** Equal appends at the same time are one: the server lets the second wait for seconds, and then fail. */
  const underWay = new Map<string, Promise<AppendResult>>();
  function appendOnce(
    stream: string,
    expectedRevision: number,
    events: readonly EncodedEvent[],
  ): Promise<AppendResult> {
    const key = JSON.stringify([stream, expectedRevision, ...events.map(({ id }) => id)]);
    const first = underWay.get(key);
    if (first) return first;
    const appended = append(stream, expectedRevision, events).finally(() => underWay.delete(key));
    underWay.set(key, appended);
    return appended;
  }

  const store: EventStore = {
    append: appendOnce,
    readStream,
    readAll,
    head,
    subscribeAll: (after, { batchSize, signal }) =>
      followAll(client, after, {
        batchSize,
        signal: AbortSignal.any([signal, closing.signal]),
        deadlineMs,
        backOffMs,
        maxBackOffMs,
      }),
    async close() {
      closing.abort();
      await disconnect(client, deadlineMs);
    },
  };

  try {
    await head();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/**
 * Decisions are made on what these calls give, so a follower in a cluster, which may lag, must not answer them: it names
 * the leader, the client reconnects there, and the call is repeated.
 */
const AT_LEADER = { requiresLeader: true } as const;

/** Faults of the connection or the server, not of what was asked. */
function isOutage(error: unknown): boolean {
  const answered = error instanceof WrongExpectedVersionError || error instanceof StreamNotFoundError;
  const refused = error instanceof MaxAppendSizeExceededError || error instanceof InvalidArgumentError;
  return !answered && !refused && !isInvalidPosition(error);
}

/** Faults that another attempt may not meet: a broken connection, a new leader, a server that is starting. */
const isPassing = (error: unknown): boolean =>
  [UnavailableError, CancelledError, NotLeaderError, TimeoutError].some((kind) => error instanceof kind);

/** What this adapter needs of the client and its public type does not offer. */
interface ClientInternals {
  supports: (method: { path: string }, feature?: string) => Promise<boolean>;
  getChannel: () => Promise<{ close: () => void }>;
}

function connect(url: string): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url);
  // The client sends appends over one shared call where the server can (`BatchAppend`). An error there fails all appends
  // of all clients in the process, and a reply that comes after it throws where nobody can catch. So: a call for each.
  (client as unknown as ClientInternals).supports = () => Promise.resolve(false);
  return client;
}

async function disconnect(client: EventStoreDBClient, deadlineMs: number): Promise<void> {
  const internals = client as unknown as ClientInternals;
  const closed = client
    .dispose()
    .then(() => internals.getChannel())
    .then((channel) => channel.close());
  await within(deadlineMs, closed).catch(() => {});
}

type Resolved = AllStreamResolvedEvent | ResolvedEvent;
type Source = StreamingRead<AllStreamResolvedEvent> | StreamingRead<ResolvedEvent>;

/** Reads at most so many events of ours, then ends the call; fails when the server is silent for too long. */
async function collect(source: Source, most: number, silenceMs: number): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  // An error that comes after the last event interests nobody, but must have a listener.
  source.on('error', () => {});
  const silence = setTimeout(() => source.destroy(new LogUnavailable('EventStoreDB is silent')), silenceMs);
  try {
    if (most === 0) return events;
    const incoming = source.iterator({ destroyOnReturn: false }) as AsyncIterable<Resolved>;
    for await (const resolved of incoming) {
      silence.refresh();
      const event = toStoredEvent(resolved);
      if (event) events.push(event);
      if (events.length >= most) break;
    }
    return events;
  } finally {
    clearTimeout(silence);
    source.cancel().catch(() => {});
    // The client forgets a call only when everything that came for it was read.
    source.resume();
  }
}

/** The promise, or LogUnavailable when it takes longer. */
async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new LogUnavailable('EventStoreDB did not answer in time')), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
