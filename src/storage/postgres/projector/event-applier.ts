import type { RecordedEvent } from '#kernel/event.ts';
import type { Handler, Projection } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import type { Database } from '../db.ts';
import { isConnectionError } from '../outage.ts';
import { allDone, applyBatch, handlersOf } from './apply.ts';
import { type Failure, failureAt, ProjectionError } from './failures.ts';
import type { GroupMembers } from './group-members.ts';
import { type Skips, withoutSkipped } from './skips.ts';

export interface EventApplierOptions {
  members: GroupMembers;
  /** The members that take the events. */
  projections: readonly Projection[];
  db: Database;
  skips: Skips;
  /** Called after each commit. */
  onCommitted: (position: bigint) => void;
}

/** An event that was rejected, after all events before it were taken. */
export class Rejected extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    const { projection, event_type, position, error } = failure;
    super(`The read model ${projection} rejects the event ${event_type} at ${position}: ${error}`);
    this.failure = failure;
  }
}

/**
 * Applies events to members of a group. Rows and checkpoints commit in one transaction. The checkpoint moves first:
 * a swap of rebuilt tables waits for its row lock, and the lock makes a second runner step back.
 */
export class EventApplier {
  readonly #options: EventApplierOptions;
  readonly #handlers: ReadonlyMap<string, ReadonlyMap<string, Handler>>;

  constructor(options: EventApplierOptions) {
    this.#options = options;
    this.#handlers = new Map(options.projections.map((each) => [each.name, handlersOf(each)]));
  }

  /**
   * @returns the new position; undefined when a checkpoint was not at the expected position, which must be read
   * again. Members that were there have moved all the same.
   * @throws Rejected
   */
  async take(position: bigint, events: readonly RecordedEvent[]): Promise<bigint | undefined> {
    if (this.#handlers.size === 0) return this.#pass(position, events);
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

  #pass(position: bigint, events: readonly RecordedEvent[]): bigint {
    const next = events.at(-1)?.position ?? position;
    this.#options.onCommitted(next);
    return next;
  }

  /**
   * Normally all members are at this position and accept the events. The transaction then goes out without
   * waiting for any answer but that of the commit.
   * @throws the error of Postgres, which does not name the projection
   */
  async #commitTogether(position: bigint, events: readonly RecordedEvent[]): Promise<bigint> {
    const { db, members, projections } = this.#options;
    const next = events.at(-1)?.position ?? position;
    await db.pipeline(async (transaction) => {
      // If this fails, the commit fails.
      members.advanceAll(transaction, projections, position, next).catch(() => undefined);
      await allDone([...this.#handlers.keys()].map((name) => this.#apply(name, events, transaction)));
    });
    this.#options.onCommitted(next);
    return next;
  }

  async #commit(position: bigint, events: readonly RecordedEvent[]): Promise<bigint | undefined> {
    const { db, members, projections } = this.#options;
    const next = events.at(-1)?.position ?? position;
    const all = await db.transaction(async (transaction) => {
      const moved = await members.advance(transaction, projections, position, next);
      // No projection knows the tables of another, so their statements need not wait for each other.
      await allDone([...moved].map((name) => this.#apply(name, events, transaction)));
      return moved.size === projections.length;
    });
    if (!all) return undefined;
    this.#options.onCommitted(next);
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
      } catch (error) {
        if (isConnectionError(error)) throw error;
        throw new Rejected(failureAt(event, error));
      }
    }
    return current;
  }

  async #apply(name: string, events: readonly RecordedEvent[], db: Db): Promise<void> {
    try {
      const wanted = withoutSkipped(this.#options.skips, name, events);
      const handlers = this.#handlers.get(name) ?? new Map<string, Handler>();
      await applyBatch(handlers, wanted, db, { name });
    } catch (error) {
      throw isConnectionError(error) ? error : new ProjectionError(name, error);
    }
  }
}
