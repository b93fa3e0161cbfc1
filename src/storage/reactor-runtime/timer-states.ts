import type { Db } from '#kernel/read.ts';
import { DelayedWriter } from './delayed-writer.ts';
import type { TimerState, TimerStatus } from './timer-status.ts';
import { storeTimers } from './timer-store.ts';

/** Milliseconds until changes are stored. Events wake timers all the time, so many changes share a statement. */
const SOON = 2_000;
/** Milliseconds between two signs of life. */
const ALIVE_EVERY = 30_000;
/** Milliseconds until another try after a failure. */
const AGAIN = 5_000;

/** Stores what the timers do, for operators. Nothing depends on it, so it may lag and be lost. */
export class TimerStateWriter {
  readonly #db: Db;
  readonly #timers: readonly TimerStatus[];
  readonly #writer: DelayedWriter;
  /** The states that were stored last, when, and how often each timer had fired. */
  #stored = '';
  #storedAt = -Infinity;
  readonly #storedFired = new Map<string, number>();

  constructor(db: Db, timers: readonly TimerStatus[], onError: (error: unknown) => void) {
    this.#db = db;
    this.#timers = timers;
    this.#writer = new DelayedWriter({ write: () => this.#write(), retryAfter: AGAIN, onError });
  }

  changed(): void {
    this.#writer.within(SOON);
  }

  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Stores nothing from here on. */
  close(): void {
    this.#writer.close();
  }

  async #write(): Promise<void> {
    const states = this.#timers.map((timer) => timer.state()).filter((state) => state !== undefined);
    const present = JSON.stringify(states);
    if (present !== this.#stored || performance.now() - this.#storedAt > ALIVE_EVERY / 2) {
      await this.#store(states);
      this.#stored = present;
      this.#storedAt = performance.now();
    }
    this.#writer.within(ALIVE_EVERY);
  }

  async #store(states: readonly TimerState[]): Promise<void> {
    const names = this.#timers.map(({ name }) => name);
    const more = states.map((state) => ({
      ...state,
      firedMore: state.fired - (this.#storedFired.get(state.name) ?? 0),
    }));
    await storeTimers(this.#db, names, more);
    for (const { name, fired } of states) this.#storedFired.set(name, fired);
  }
}
