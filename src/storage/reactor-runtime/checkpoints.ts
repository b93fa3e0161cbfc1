import type { Db } from '../../kernel/read.ts';
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
  readonly #onError: (error: unknown) => void;
  readonly #stored = new Map<string, bigint>();
  #timer: NodeJS.Timeout | undefined;
  #at = Infinity;

  constructor(db: Db, runners: readonly Positioned[], onError: (error: unknown) => void) {
    this.#db = db;
    this.#runners = runners;
    this.#onError = onError;
    for (const { name, position } of runners) this.#stored.set(name, position);
  }

  moved(worked: boolean): void {
    const at = performance.now() + (worked ? SOON : LATER);
    if (at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => void this.flush().catch(this.#onError), at - performance.now());
  }

  /** Stores the positions that have moved. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#at > 0) this.#at = Infinity;
    const moved = new Map(
      this.#runners
        .filter(({ name, position }) => this.#stored.get(name) !== position)
        .map(({ name, position }) => [name, position]),
    );
    if (moved.size === 0) return;
    try {
      await advance(this.#db, moved);
      for (const [name, position] of moved) this.#stored.set(name, position);
    } catch (error) {
      this.moved(false);
      throw error;
    }
  }

  /** Stores nothing from here on. */
  close(): void {
    clearTimeout(this.#timer);
    this.#at = -Infinity;
  }
}
