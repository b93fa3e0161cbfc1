import type { RecordedEvent } from '../../kernel/event.ts';
import { pause } from '../../kernel/pause.ts';
import type { Handler, Projection } from '../../kernel/projection.ts';
import { statement, type Db } from '../../kernel/read.ts';
import { allDone, applyBatch, handlersOf } from './apply.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Database } from './db.ts';
import { isConnectionError } from './outage.ts';

/** The part of the event log that the runner uses. */
export interface EventSource {
  readAll(after: bigint, limit: number): Promise<RecordedEvent[]>;
  subscribeAll(
    after: bigint,
    options: { batchSize: number; signal: AbortSignal },
  ): AsyncIterable<RecordedEvent[]>;
}

/**
 * The reason why a group is halted: the event that a handler rejected. Without an id, the log could not be
 * read after that position; the runner retries that for ever.
 */
export interface Failure {
  /** Empty when no single projection is to blame. */
  projection: string;
  position: string;
  event_id: string;
  event_type: string;
  error: string;
}

export interface GroupRunnerOptions {
  group: string;
  projections: readonly Projection[];
  log: EventSource;
  /** Its connections have synchronous_commit off, since the log can restore everything. */
  db: Database;
  checkpoints: Checkpoints;
  /**
   * Milliseconds to wait for more events after a batch of several. Batches are fewer and larger while no
   * reader waits for the rows.
   */
  batchDelayMs?: number;
  /** Waits after a single event too, for rows that are not urgent. */
  alwaysDelay?: boolean;
  onFailure: (failure: Failure) => void;
  onError: (error: unknown) => void;
}

const BATCH = 1_000;
/**
 * Locks in the order of a rebuild, because two transactions that lock the same rows in different orders could
 * deadlock.
 */
const MOVE = `with mine as (
     select name, version from durable.projections
     where "group" = $2 and (name, version) in (select * from unnest($4::text[], $5::int[]))
     order by name, version for update
   ), moved as (
     update durable.projections p set position = $1, failure = null from mine
     where p.name = mine.name and p.version = mine.version and p.position = $3
     returning p.name
   )`;
const ADVANCE = statement('projection_advance', `${MOVE} select name from moved`);
/**
 * Like `ADVANCE`, but fails when fewer than $6 checkpoints are at the position: by a division by zero, since
 * SQL has no `throw`.
 */
const ADVANCE_ALL = statement(
  'projection_advance_all',
  `${MOVE} select 1 / (count(*) = $6::int)::int from moved`,
);
const WHERE = statement(
  'projection_where',
  `select min(position) as position from durable.projections
   where "group" = $1 and (name, version) in (select * from unnest($2::text[], $3::int[]))`,
);

const FAILED = statement(
  'projection_failed',
  `update durable.projections set failure = $3 where "group" = $1 and ($2 = '' or name = $2)`,
);
const GOES_ON = statement(
  'projection_goes_on',
  'update durable.projections set failure = null where "group" = $1 and failure is not null',
);

/**
 * Follows the log for one group of projections. Rows and checkpoint commit in one transaction. The checkpoint
 * moves first: a swap of rebuilt tables waits for its row lock, and the lock makes a second runner step back.
 */
export class GroupRunner {
  readonly #options: GroupRunnerOptions;
  readonly #handlers: ReadonlyMap<string, ReadonlyMap<string, Handler>>;
  readonly #abort = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #failure: Failure | undefined;
  #unread: Failure | undefined;

  constructor(options: GroupRunnerOptions) {
    this.#options = options;
    this.#handlers = new Map(options.projections.map((each) => [each.name, handlersOf(each)]));
  }

  get failure(): Failure | undefined {
    return this.#failure ?? this.#unread;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Retries the event that halted the group, whose cause may be fixed. */
  retry(): void {
    if (!this.#failure || this.#abort.signal.aborted) return;
    this.#failure = undefined;
    // A last run that has not ended yet continues by itself.
    this.#running = this.#running.then(() => this.#run());
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    for (let delay = 50; !signal.aborted && !this.#failure; delay = Math.min(delay * 2, 5_000)) {
      try {
        await this.#follow();
        delay = 50;
      } catch (error) {
        if (!isConnectionError(error)) {
          this.#options.onError(error);
          const position = String(this.#options.checkpoints.position(this.#options.group));
          const nowhere = { projection: '', event_id: '', event_type: '' };
          this.#unread = { ...nowhere, position, error: messageOf(error) };
          await this.#note(this.#unread);
        }
        await pause(delay, signal);
      }
    }
  }

  /** Runs until the checkpoint is elsewhere, an event fails, or the runner ends. */
  async #follow(): Promise<void> {
    const { log, group, checkpoints, batchDelayMs = 0, alwaysDelay = false } = this.#options;
    let position = await this.#position();
    await this.#options.db.query(GOES_ON, [group]);
    checkpoints.committed(group, position);
    const batches = log.subscribeAll(position, { batchSize: BATCH, signal: this.#abort.signal });
    for await (const events of batches) {
      this.#unread = undefined;
      const next = await this.#take(position, events);
      if (next === undefined) return;
      position = next;
      checkpoints.committed(group, position);
      if (batchDelayMs > 0 && (alwaysDelay || events.length > 1))
        await checkpoints.pauseBetweenBatches(group, batchDelayMs);
    }
  }

  async #take(position: bigint, events: readonly RecordedEvent[]): Promise<bigint | undefined> {
    try {
      return await this.#commitTogether(position, events);
    } catch (error) {
      if (isConnectionError(error)) throw error;
    }
    try {
      return await this.#commit(position, events);
    } catch (error) {
      if (isConnectionError(error)) throw error;
      return this.#oneByOne(position, events);
    }
  }

  /**
   * Normally all members are at this runner's position and accept the events. The transaction then goes out
   * without waiting for any answer but that of the commit.
   * @throws the error of Postgres, which does not name the projection
   */
  async #commitTogether(position: bigint, events: readonly RecordedEvent[]): Promise<bigint> {
    const next = events.at(-1)?.position ?? position;
    await this.#options.db.pipeline(async (db) => {
      // If this fails, the commit fails.
      db.query(ADVANCE_ALL, [...this.#move(position, next), this.#handlers.size]).catch(() => undefined);
      await allDone([...this.#handlers.values()].map((handlers) => applyBatch(handlers, events, db)));
    });
    return next;
  }

  /** After a failed batch, the events before the failing one still go in. */
  async #oneByOne(position: bigint, events: readonly RecordedEvent[]): Promise<bigint | undefined> {
    let current = position;
    for (const event of events) {
      try {
        const next = await this.#commit(current, [event]);
        if (next === undefined) return undefined;
        current = next;
        this.#options.checkpoints.committed(this.#options.group, current);
      } catch (error) {
        if (isConnectionError(error)) throw error;
        await this.#stopAt(event, error);
        return undefined;
      }
    }
    return current;
  }

  /**
   * @returns the new position; undefined when a checkpoint was not at the expected position, which must be
   * read again. Members that were there have moved all the same.
   */
  async #commit(position: bigint, events: readonly RecordedEvent[]): Promise<bigint | undefined> {
    const next = events.at(-1)?.position ?? position;
    return this.#options.db.transaction(async (db) => {
      const moved = await this.#advance(db, position, next);
      if (moved.size === 0) return undefined;
      // No projection knows the tables of another, so their statements need not wait for each other.
      const members = [...this.#handlers].filter(([name]) => moved.has(name));
      await allDone(members.map(([name, handlers]) => this.#apply(name, handlers, events, db)));
      return moved.size === this.#handlers.size ? next : undefined;
    });
  }

  async #apply(
    name: string,
    handlers: ReadonlyMap<string, Handler>,
    events: readonly RecordedEvent[],
    db: Db,
  ): Promise<void> {
    try {
      await applyBatch(handlers, events, db);
    } catch (error) {
      throw isConnectionError(error) ? error : new ProjectionError(name, error);
    }
  }

  async #advance(db: Db, from: bigint, to: bigint): Promise<Set<string>> {
    const rows = await db.query<{ name: string }>(ADVANCE, this.#move(from, to));
    return new Set(rows.map(({ name }) => name));
  }

  #move(from: bigint, to: bigint): unknown[] {
    return [String(to), this.#options.group, String(from), ...this.#members()];
  }

  async #position(): Promise<bigint> {
    const { db, group } = this.#options;
    const [row] = await db.query<{ position: string | null }>(WHERE, [group, ...this.#members()]);
    if (row?.position == null) throw new Error(`The projections of group ${group} are not built yet`);
    return BigInt(row.position);
  }

  #members(): [string[], number[]] {
    const { projections } = this.#options;
    return [projections.map(({ name }) => name), projections.map(({ version }) => version)];
  }

  async #stopAt(event: RecordedEvent, error: unknown): Promise<void> {
    const projection = error instanceof ProjectionError ? error.projection : '';
    const cause = error instanceof ProjectionError ? error.cause : error;
    this.#failure = {
      projection,
      position: String(event.position),
      event_id: event.id,
      event_type: event.type,
      error: messageOf(cause),
    };
    this.#options.onFailure(this.#failure);
    await this.#note(this.#failure);
  }

  /** Records the failure for the operator. */
  async #note(failure: Failure): Promise<void> {
    const { db, group, onError } = this.#options;
    await db.query(FAILED, [group, failure.projection, JSON.stringify(failure)]).catch(onError);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

class ProjectionError extends Error {
  readonly projection: string;

  constructor(projection: string, cause: unknown) {
    super(`Projection ${projection} failed`, { cause });
    this.projection = projection;
  }
}
