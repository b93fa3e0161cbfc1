import { pause } from '#kernel/pause.ts';
import type { Timer } from '#kernel/reactor.ts';
import type { Db } from '#kernel/read.ts';
import { survivingStrays } from '#kernel/stray-rejections.ts';
import { type ContextFor, pauseAfter } from './attempt.ts';
import { TimerStatus } from './timer-status.ts';

/** Milliseconds between checks of the clock, which may be set, or stop while the machine sleeps. */
const LOOK_EVERY = 30_000;
const SHORTEST = 20;
/** Milliseconds to wait after a failure of the timer itself. */
const AGAIN = 1_000;
/** The maximum of failed rows that wait for another try. */
const MAX_FAILED = 1_000;

export interface TimerRunnerOptions {
  timer: Timer;
  db: Db;
  contextFor: ContextFor;
  /** Waits until the read models of these groups reach the position; false when they do not for long. */
  reached: (groups: readonly string[], position: bigint) => Promise<boolean>;
  onError: (error: unknown) => void;
  /** Its state may have changed. */
  onChanged: () => void;
  signal: AbortSignal;
}

/** Sleeps until the next row is due, and lets the timer act on it. */
export class TimerRunner {
  readonly status: TimerStatus;
  readonly #options: TimerRunnerOptions;
  /** By key: the number of failures, and the time of the next try (milliseconds since 1970). */
  readonly #failed = new Map<string, { failures: number; again: number }>();
  #running: Promise<void> = Promise.resolve();
  #changed = new AbortController();
  #position = 0n;

  constructor(options: TimerRunnerOptions) {
    this.#options = options;
    this.status = new TimerStatus(options.timer.name, options.onChanged);
  }

  start(position: bigint): void {
    this.#position = position;
    this.#running = this.#run();
  }

  /** An event may have made something due. */
  wake(position: bigint): void {
    this.#position = position;
    this.#changed.abort();
  }

  stopped(): Promise<void> {
    return this.#running;
  }

  async #run(): Promise<void> {
    const { timer, reached, signal, onError } = this.#options;
    while (!signal.aborted) {
      this.#changed = new AbortController();
      try {
        if (!(await reached(timer.reads, this.#position))) continue;
        const next = await this.#fireAll();
        if (!signal.aborted) this.status.checked(next, this.#failed.size);
        await untilTime(next, AbortSignal.any([signal, this.#changed.signal]));
      } catch (error) {
        if (!signal.aborted) this.status.failed(error);
        onError(error);
        await pause(AGAIN, signal);
      }
    }
  }

  /** @returns the time of the next check, in milliseconds since 1970 */
  async #fireAll(): Promise<number> {
    const { timer, db, signal } = this.#options;
    const fired: string[] = [];
    while (!signal.aborted) {
      const now = Date.now();
      const waiting = [...this.#failed].filter(([, { again }]) => again > now);
      const except = [...waiting.map(([key]) => key), ...fired];
      const { rows, next } = await timer.due(db, new Date(now).toISOString(), except);
      for (const row of rows) {
        if (signal.aborted) break;
        await this.#fire(row);
        fired.push(row.key);
      }
      if (rows.length > 0) continue;
      this.#forgetPast(now, fired);
      return Math.min(
        next === undefined ? Infinity : Date.parse(next),
        ...[...this.#failed.values()].map(({ again }) => again),
      );
    }
    return Infinity;
  }

  /** Forgets failures of rows that were no longer due at their next try. */
  #forgetPast(now: number, fired: readonly string[]): void {
    for (const [key, { again }] of this.#failed) {
      if (again <= now && !fired.includes(key)) this.#failed.delete(key);
    }
  }

  async #fire(row: { key: string }): Promise<void> {
    const { timer, contextFor, onError, signal } = this.#options;
    const ctx = contextFor({
      rule: timer.name,
      cause: row.key,
      position: this.#position,
      reads: timer.reads,
    });
    this.status.begins();
    try {
      await survivingStrays(`timer ${timer.name}`, async () => {
        await timer.fire(ctx, row);
      });
      // A fired row must not be found due again because a read model is behind.
      await ctx.waitForReadModels(timer.reads);
      this.#failed.delete(row.key);
      this.status.fired();
    } catch (error) {
      const failures = (this.#failed.get(row.key)?.failures ?? 0) + 1;
      const oldest = this.#failed.keys().next();
      if (this.#failed.size >= MAX_FAILED && !oldest.done) this.#failed.delete(oldest.value);
      this.#failed.set(row.key, { failures, again: Date.now() + pauseAfter(failures) });
      if (!signal.aborted) this.status.failed(error);
      onError(error);
    }
  }
}

/** Resolves at a time of the machine's clock, or when the signal aborts. */
async function untilTime(time: number, signal: AbortSignal): Promise<void> {
  do {
    await pause(Math.max(SHORTEST, Math.min(time - Date.now(), LOOK_EVERY)), signal);
  } while (Date.now() < time && !signal.aborted);
}
