import { fairSemaphore, KeyedMutex, type Semaphore } from '#kernel/concurrency.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { pause } from '#kernel/pause.ts';
import type { Reactor } from '#kernel/reactor.ts';
import type { Db } from '#kernel/read.ts';
import type { Services } from '#kernel/services.ts';
import type { EventLog } from '../eventlog/port.ts';
import { attempt, type ContextFor } from './attempt.ts';
import { storeDeadLetter } from './store.ts';

/** The maximum of events that wait in memory; a reactor further behind reads the log by itself. */
const MAX_WAITING = 1_000;
const PAGE = 500;
const READ_AGAIN = 1_000;

export interface RunnerOptions {
  reactor: Reactor;
  /** Its checkpoint. */
  position: bigint;
  log: Pick<EventLog, 'readAll'>;
  db: Db;
  contextFor: ContextFor;
  services: Services;
  /** Returns the position of the common reader of the log. */
  followed: () => bigint;
  /** Called when the position has moved. `worked` means that the reactor did something. */
  onMoved: (worked: boolean) => void;
  onError: (error: unknown) => void;
  onDeadLetter: (event: RecordedEvent, error: unknown) => void;
  signal: AbortSignal;
}

/**
 * Passes its events to one reactor. Streams run concurrently, the events of one stream in order. The position
 * is the one before the oldest unfinished event, so a crash repeats some events and loses none.
 */
export class ReactorRunner {
  readonly #options: RunnerOptions;
  readonly #streams = new KeyedMutex();
  readonly #slots: Semaphore;
  /** The positions of unfinished events, in order, each with the position of the event before it. */
  readonly #unfinished = new Map<bigint, bigint>();
  #read: bigint;
  /** Takes the events of the common reader; otherwise reads by itself until it has caught up. */
  #attached = true;

  constructor(options: RunnerOptions) {
    this.#options = options;
    const { concurrency, outside, perOwner } = options.reactor;
    this.#slots = fairSemaphore({ running: concurrency, waiting: Infinity, outside, perOwner });
    this.#read = options.position;
  }

  get name(): string {
    return this.#options.reactor.name;
  }

  /** Every event up to here is handled or dead-lettered. */
  get position(): bigint {
    for (const before of this.#unfinished.values()) return before;
    return this.#read;
  }

  /** Reads by itself if it is behind the common reader. */
  start(): void {
    if (this.#read >= this.#options.followed()) return;
    this.#attached = false;
    void this.#catchUp();
  }

  /** Takes the next events of the log, including those that the reactor ignores. */
  offer(events: readonly RecordedEvent[]): void {
    if (!this.#attached) return;
    if (this.#unfinished.size + events.length > MAX_WAITING + PAGE) {
      this.#attached = false;
      void this.#catchUp();
    } else {
      this.#take(events);
    }
  }

  /** Resolves when no reaction is running. */
  stopped(): Promise<void> {
    return this.#streams.idle();
  }

  #take(events: readonly RecordedEvent[]): void {
    const { reactor } = this.#options;
    const seen = this.#read;
    for (const [index, event] of events.entries()) {
      if (!reactor.types.has(event.type) || event.position <= seen) continue;
      if (this.#ignores(event)) continue;
      const before = events[index - 1]?.position ?? seen;
      this.#unfinished.set(event.position, before > seen ? before : seen);
      this.#streams.run(event.stream, () => this.#handle(event));
    }
    const last = events.at(-1)?.position ?? seen;
    if (last <= seen) return;
    this.#read = last;
    this.#options.onMoved(false);
  }

  /** An event that it cannot judge is its own failure, and must not stop the other reactors. */
  #ignores(event: RecordedEvent): boolean {
    const { reactor, services } = this.#options;
    try {
      return event.unreadable === undefined && reactor.ignores(event, services);
    } catch {
      return false;
    }
  }

  async #catchUp(): Promise<void> {
    const { log, followed, signal, onError } = this.#options;
    while (!signal.aborted) {
      if (this.#unfinished.size > MAX_WAITING / 2) {
        await pause(READ_AGAIN / 10, signal);
        continue;
      }
      try {
        const since = performance.now();
        this.#take(await log.readAll(this.#read, PAGE, { keepUnreadable: true }));
        if (this.#read >= followed()) {
          this.#attached = true;
          return;
        }
        // Requests use the same thread: reading takes half of it at most.
        await pause(performance.now() - since, signal);
      } catch (error) {
        onError(error);
        await pause(READ_AGAIN, signal);
      }
    }
  }

  async #handle(event: RecordedEvent): Promise<void> {
    const { onMoved, onDeadLetter } = this.#options;
    const outcome = await attempt(event, { ...this.#options, slots: this.#slots });
    if (!outcome) return;
    if (!outcome.done) {
      if (!(await this.#store(event, outcome))) return;
      onDeadLetter(event, outcome.error);
    }
    this.#unfinished.delete(event.position);
    onMoved(true);
  }

  /** Retries until it is stored, however long the outage: a checkpoint after it would lose the event. */
  async #store(event: RecordedEvent, failure: { attempts: number; error: unknown }): Promise<boolean> {
    const { db, reactor, signal, onError } = this.#options;
    while (!signal.aborted) {
      try {
        await storeDeadLetter(db, reactor.name, event, failure);
        return true;
      } catch (error) {
        onError(error);
        await pause(READ_AGAIN, signal);
      }
    }
    return false;
  }
}
