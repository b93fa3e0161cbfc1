import { closeAll } from '#kernel/close-all.ts';
import type { Notifications } from '#kernel/listening.ts';
import { pause } from '#kernel/pause.ts';
import { statement } from '#kernel/read.ts';
import { encodeArrays } from '../postgres/arrays.ts';
import { type Database, openDatabase } from '../postgres/db.ts';
import { LOCKS } from '../postgres/locks.ts';
import { openNotifications } from '../postgres/notifications.ts';
import { isConnectionError } from '../postgres/outage.ts';
import { AppendQueue, type PendingAppend } from './append-queue.ts';
import {
  type AppendResult,
  type EncodedEvent,
  type EventStore,
  LogUnavailable,
  RevisionConflict,
  type StoredEvent,
  type SubscribeOptions,
} from './port.ts';
import { EVENT_LOG_DDL, LOG_CHANNEL } from './postgres-schema.ts';
import { type LogReader, Tail } from './tail.ts';

const MAX_POSITION = 2n ** 63n - 1n;
/** A stream longer than this is read in pages. */
const PAGE = 5_000;
/** Milliseconds during which an append is retried while Postgres is unreachable. */
const APPEND_DEADLINE = 10_000;

type EventRow = Omit<StoredEvent, 'position'> & { position: string };

const COLUMNS = 'position, stream, revision, id, type, data, metadata';
const APPEND = statement<{ stream: string; revision: number; position: string }>(
  'log_append',
  `select * from eventlog.append(
     $1::text[], $2::int[], $3::int[], $4::int[], $5::uuid[], $6::text[], $7::text[], $8::text[])`,
);
const READ_ALL = statement<EventRow>(
  'log_read_all',
  `select ${COLUMNS} from eventlog.events where position > $1 order by position limit $2`,
);
const READ_BACK = statement<EventRow>(
  'log_read_back',
  `select ${COLUMNS} from eventlog.events where position < $1 order by position desc limit $2`,
);
const READ_STREAM = statement<EventRow>(
  'log_read_stream',
  `select ${COLUMNS} from eventlog.events where stream = $1 and revision >= $2 order by revision limit $3`,
);
const READ_STREAMS = statement<EventRow>(
  'log_read_streams',
  // Each stream by its index: a scan in the order of positions would read the whole log.
  `select e.* from unnest($1::text[]) as s (name) cross join lateral (
     select ${COLUMNS} from eventlog.events where stream = s.name offset 0) e
   where e.position > $2 order by e.position limit $3`,
);
const HEAD = statement<{ position: string }>(
  'log_head',
  'select coalesce(max(position), 0) as position from eventlog.events',
);

/**
 * The event log in Postgres. Appends that arrive during a commit are written together in the next one (group
 * commit). Positions are taken from the head under a lock that is held until the commit, so they follow the
 * order of commits without gaps: a reader needs no heuristics.
 * @param shared announces appends of other processes, and stays open when the store closes; without it, the
 * store opens a connection of its own
 */
export async function openPostgresEventStore(url: string, shared?: Notifications): Promise<EventStore> {
  const writer = openDatabase({ url, max: 1, applicationName: 'rookery log writer' });
  const reader = openDatabase({ url, max: 4, applicationName: 'rookery log reader' });
  await prepare(writer);
  const store = new PostgresEventStore(writer, reader);
  if (shared) await store.listen(shared);
  else await store.listenAlone(await openNotifications(url));
  return store;
}

/** Creates the schema once. Several processes may start at the same time. */
async function prepare(db: Database): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.query(`select pg_advisory_xact_lock(${LOCKS.logSchema})`);
    await transaction.query(EVENT_LOG_DDL);
  });
}

class PostgresEventStore implements EventStore {
  readonly #writer: Database;
  readonly #reader: Database;
  readonly #queue: AppendQueue;
  /** The events that this process appended last, as long as no event of another process is between them. */
  readonly #tail = new Tail();
  #notifications: Notifications | undefined;
  #head = 0n;
  /** The newest announced position. */
  #announced = 0n;
  #writing = false;
  #waiting = new Set<() => void>();

  constructor(writer: Database, reader: Database) {
    this.#writer = writer;
    this.#reader = reader;
    this.#queue = new AppendQueue((batch) => this.#write(batch));
  }

  /** Owns the connection, and closes it with itself. */
  async listenAlone(notifications: Notifications): Promise<void> {
    this.#notifications = notifications;
    await this.listen(notifications);
  }

  async listen(notifications: Notifications): Promise<void> {
    await notifications.subscribe({
      channel: LOG_CHANNEL,
      onNotification: (payload) => this.#hear(BigInt(payload)),
      onConnected: () =>
        void this.head().then(
          (head) => this.#advance(head),
          () => undefined,
        ),
    });
    this.#advance(await this.head());
  }

  append(stream: string, expectedRevision: number, events: readonly EncodedEvent[]): Promise<AppendResult> {
    return this.#queue.add({ stream, expectedRevision, events });
  }

  async readStream(stream: string, from = 0, limit = Number.MAX_SAFE_INTEGER): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    while (events.length < limit) {
      const page = Math.min(PAGE, limit - events.length);
      const rows = await this.#read(READ_STREAM, [stream, from + events.length, page]);
      events.push(...rows);
      if (rows.length < page) break;
    }
    return events;
  }

  async readStreams(streams: readonly string[]): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (;;) {
      const page = await this.#read(READ_STREAMS, [streams, events.at(-1)?.position ?? 0n, PAGE]);
      events.push(...page);
      if (page.length < PAGE) return events;
    }
  }

  async readAll(after: bigint, limit: number): Promise<StoredEvent[]> {
    return this.#tail.read(after, limit) ?? (await this.#read(READ_ALL, [after, limit]));
  }

  /** No position is as large as the limit of bigint. */
  readBack(before = MAX_POSITION, limit: number): Promise<StoredEvent[]> {
    return this.#read(READ_BACK, [before, limit]);
  }

  async find(position: bigint): Promise<StoredEvent | undefined> {
    const [event] = await this.readAll(position - 1n, 1);
    return event?.position === position ? event : undefined;
  }

  async head(): Promise<bigint> {
    const [row] = await this.#reader.query(HEAD);
    return BigInt(row?.position ?? 0);
  }

  async *subscribeAll(after: bigint, options: SubscribeOptions): AsyncIterable<StoredEvent[]> {
    const follower = { position: after };
    this.#tail.readers.add(follower);
    try {
      yield* this.#follow(follower, options);
    } finally {
      this.#tail.readers.delete(follower);
    }
  }

  async *#follow(follower: LogReader, { batchSize, signal }: SubscribeOptions): AsyncIterable<StoredEvent[]> {
    let delay = 50;
    while (!signal.aborted) {
      // At the head there is nothing to read; new events are announced.
      await this.#newerThan(follower.position, signal);
      if (signal.aborted) return;
      let events: StoredEvent[];
      try {
        events = await this.readAll(follower.position, batchSize);
        delay = 50;
      } catch (error) {
        if (!isConnectionError(error)) throw error;
        await pause(delay, signal);
        delay = Math.min(delay * 2, 5_000);
        continue;
      }
      const last = events.at(-1);
      if (!last) continue;
      follower.position = last.position;
      yield events;
    }
  }

  foreignIn(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  serverVersion(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async close(): Promise<void> {
    await closeAll([
      () => this.#reader.close(),
      () => this.#writer.close(),
      () => this.#notifications?.close(),
      () => this.#queue.close(),
    ]);
  }

  async #read(text: typeof READ_ALL, values: unknown[]): Promise<StoredEvent[]> {
    const rows = await this.#reader.query(text, values);
    return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
  }

  async #write(batch: readonly PendingAppend[]): Promise<void> {
    const placed = await this.#insert(batch);
    const stored: StoredEvent[] = [];
    const missed: PendingAppend[] = [];
    for (const append of batch) {
      const last = placed.get(append.stream);
      if (!last) {
        missed.push(append);
        continue;
      }
      const { stream, events } = append;
      events.forEach((event, index) => {
        const back = events.length - 1 - index;
        stored.push({
          ...event,
          stream,
          revision: last.revision - back,
          position: last.position - BigInt(back),
        });
      });
      append.resolve(last);
    }
    const [first] = stored;
    const newest = stored.at(-1);
    if (first && newest) {
      // Positions are consecutive, so another process has appended in between.
      if (first.position !== this.#tail.newest + 1n) this.#tail.restart(first.position - 1n);
      this.#tail.push(stored);
      this.#advance(newest.position);
    }
    await Promise.all(missed.map((append) => this.#settleMissed(append)));
  }

  /**
   * One statement, one commit. The streams of a batch are distinct; those at another revision are left out.
   * The last event of each stream comes last.
   */
  async #insert(batch: readonly PendingAppend[]): Promise<Map<string, AppendResult>> {
    const events = batch.flatMap((append, index) =>
      append.events.map((event, offset) => ({ event, append: index + 1, offset: offset + 1 })),
    );
    const values = encodeArrays(APPEND, [
      batch.map(({ stream }) => stream),
      batch.map(({ expectedRevision }) => expectedRevision),
      events.map(({ append }) => append),
      events.map(({ offset }) => offset),
      events.map(({ event }) => event.id),
      events.map(({ event }) => event.type),
      events.map(({ event }) => event.data),
      events.map(({ event }) => event.metadata),
    ]);
    const rows = await retryWhileUnreachable(async () => {
      this.#writing = true;
      try {
        return await this.#writer.query(APPEND, values);
      } finally {
        this.#writing = false;
        // Readers continue after this turn of the event loop, when the tail holds the appended events.
        setImmediate(() => this.#advance(this.#announced));
      }
    });
    return new Map(
      rows.map(({ stream, revision, position }) => [stream, { revision, position: BigInt(position) }]),
    );
  }

  /** Not at the expected revision: a repeat of a stored append, or a conflict. */
  async #settleMissed({ stream, expectedRevision, events, resolve, reject }: PendingAppend): Promise<void> {
    try {
      const there = await this.#read(READ_STREAM, [stream, expectedRevision + 1, events.length]);
      const last = there.at(-1);
      const same = there.length === events.length && there.every(({ id }, index) => id === events[index]?.id);
      if (last && same) return resolve({ revision: last.revision, position: last.position });
      const [row] = await this.#reader.query<{ revision: number | null }>(
        'select max(revision) as revision from eventlog.events where stream = $1',
        [stream],
      );
      reject(new RevisionConflict(stream, expectedRevision, row?.revision ?? -1));
    } catch (error) {
      reject(error);
    }
  }

  /**
   * Postgres announces an append a moment before it answers it. Readers that continued immediately would ask
   * Postgres for events that are about to be in memory.
   */
  #hear(position: bigint): void {
    if (position > this.#announced) this.#announced = position;
    if (!this.#writing) this.#advance(position);
  }

  #advance(position: bigint): void {
    if (position <= this.#head) return;
    this.#head = position;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }

  #newerThan(position: bigint, signal: AbortSignal): Promise<void> {
    if (this.#head > position || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      signal.addEventListener('abort', wake, { once: true });
      this.#waiting.add(wake);
    });
  }
}

/** Appends carry ids that make them idempotent, so a broken connection only means a retry. */
async function retryWhileUnreachable<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + APPEND_DEADLINE;
  for (let delay = 50; ; delay = Math.min(delay * 2, 1_000)) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      if (Date.now() + delay > deadline) throw new LogUnavailable('The event log cannot be reached', error);
      await pause(delay);
    }
  }
}
