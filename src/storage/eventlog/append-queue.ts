import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppendResult, EncodedEvent } from './port.ts';

/** The bounds of one commit: events, and about this many characters. */
const MAX_EVENTS = 256;
const MAX_CHARACTERS = 8_000_000;
/**
 * Turns of the event loop before the queue takes a batch: microseconds when idle, a fuller batch when busy.
 */
const TURNS = 10;

export interface Append {
  stream: string;
  expectedRevision: number;
  events: readonly EncodedEvent[];
}

/** An append whose caller waits. */
export interface PendingAppend extends Append {
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

/**
 * Natural group commit: appends queue while a batch is written, and the next batch takes the whole queue.
 * There is no timer. A batch contains each stream once. When a batch fails, its members are written one by
 * one, so a bad one does not affect the others.
 */
export class AppendQueue {
  readonly #write: (batch: readonly PendingAppend[]) => Promise<void>;
  #queue: PendingAppend[] = [];
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(write: (batch: readonly PendingAppend[]) => Promise<void>) {
    this.#write = write;
  }

  add(append: Append): Promise<AppendResult> {
    if (this.#closed) return Promise.reject(new Error('The event log is closed'));
    if (append.events.length === 0) return Promise.reject(new Error('An append needs at least one event'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...append, resolve, reject });
      this.#writing ??= this.#drain();
    });
  }

  /** Waits for the queued appends. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Lets requests whose packets have arrived, and callers of the last batch, join this one.
      for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
      const batch = this.#take();
      try {
        await this.#write(batch);
      } catch (error) {
        await this.#oneByOne(batch, error);
      }
    }
    this.#writing = undefined;
  }

  async #oneByOne(batch: readonly PendingAppend[], cause: unknown): Promise<void> {
    if (batch.length === 1) return batch[0]?.reject(cause);
    for (const append of batch) await this.#write([append]).catch(append.reject);
  }

  #take(): PendingAppend[] {
    const batch: PendingAppend[] = [];
    const later: PendingAppend[] = [];
    const streams = new Set<string>();
    let events = 0;
    let characters = 0;
    for (const append of this.#queue) {
      const size = append.events.reduce((sum, event) => sum + event.data.length, 0);
      const fits =
        batch.length === 0 ||
        (events + append.events.length <= MAX_EVENTS && characters + size <= MAX_CHARACTERS);
      if (!fits || streams.has(append.stream)) {
        later.push(append);
      } else {
        batch.push(append);
        events += append.events.length;
        characters += size;
      }
      // Also when it is left for the next batch: a later append to the same stream must not overtake it.
      streams.add(append.stream);
    }
    this.#queue = later;
    return batch;
  }
}
