import type { Db } from '#kernel/read.ts';
import { DelayedWriter } from './delayed-writer.ts';
import { advance } from './store.ts';

/** Milliseconds until a checkpoint is stored after a reaction, and after ignored events. */
const SOON = 200;
const LATER = 5_000;

interface Positioned {
  readonly name: string;
  readonly position: bigint;
}

/**
 * Stores the checkpoints of all runners, many moves in one statement. A checkpoint that a crash left behind
 * only causes some repeats, so it may lag.
 */
export class CheckpointWriter {
  readonly #db: Db;
  readonly #runners: readonly Positioned[];
  readonly #stored = new Map<string, bigint>();
  readonly #writer: DelayedWriter;

  constructor(db: Db, runners: readonly Positioned[], onError: (error: unknown) => void) {
    this.#db = db;
    this.#runners = runners;
    this.#writer = new DelayedWriter({ write: () => this.#write(), retryAfter: LATER, onError });
    for (const { name, position } of runners) this.#stored.set(name, position);
  }

  moved(worked: boolean): void {
    this.#writer.within(worked ? SOON : LATER);
  }

  /** Stores the positions that have moved. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  /** Stores nothing from here on. */
  close(): void {
    this.#writer.close();
  }

  async #write(): Promise<void> {
    const moved = new Map(
      this.#runners
        .filter(({ name, position }) => this.#stored.get(name) !== position)
        .map(({ name, position }) => [name, position]),
    );
    if (moved.size === 0) return;
    await advance(this.#db, moved);
    for (const [name, position] of moved) this.#stored.set(name, position);
  }
}
