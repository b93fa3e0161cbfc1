import type { StoredEvent } from './port.ts';

const MAX_EVENTS = 2_048;
const MAX_CHARACTERS = 16_000_000;

/** A reader of the log and its position. */
export interface LogReader {
  position: bigint;
}

/**
 * The newest events of the log, without gaps. Events that all readers have passed are dropped, because keeping them costs the garbage
 * collector more than everything else about an event.
 */
export class Tail {
  /** The readers for whom events are kept; without any, the newest events are kept. */
  readonly readers: Set<LogReader>;
  #events: StoredEvent[] = [];
  #characters = 0;
  #after: bigint;

  /** @param after the position that the first event follows */
  constructor(after = 0n, readers = new Set<LogReader>()) {
    this.#after = after;
    this.readers = readers;
  }

  /** All later events are held. */
  get after(): bigint {
    return this.#after;
  }

  /** The position of the newest event. */
  get newest(): bigint {
    return this.#events.at(-1)?.position ?? this.#after;
  }

  /** Forgets all events: the next one follows this position. */
  restart(after: bigint): void {
    this.#events = [];
    this.#characters = 0;
    this.#after = after;
  }

  /** Takes the events that follow the newest one in the log. */
  push(events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#characters += event.data.length;
    }
    this.#drop(this.#read());
    if (this.#events.length > MAX_EVENTS || this.#characters > MAX_CHARACTERS) {
      this.#drop(Math.floor(this.#events.length / 2));
    }
  }

  /** Tells whether the position is that of a held event, or the one before them. */
  has(position: bigint): boolean {
    return position === this.#after || this.#events[this.#indexAfter(position) - 1]?.position === position;
  }

  /** Returns the events after a position; undefined without any, or when some of them are no longer held. */
  read(after: bigint, limit: number): StoredEvent[] | undefined {
    if (after < this.#after || after >= this.newest) return undefined;
    const start = this.#indexAfter(after);
    return this.#events.slice(start, start + limit);
  }

  /** Returns how many events all readers have passed. */
  #read(): number {
    if (this.readers.size === 0) return 0;
    let last = this.newest;
    for (const { position } of this.readers) if (position < last) last = position;
    return this.#indexAfter(last);
  }

  /** Returns the index of the first event after a position. */
  #indexAfter(position: bigint): number {
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.position ?? 0n) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #drop(count: number): void {
    if (count === 0) return;
    const dropped = this.#events.splice(0, count);
    for (const { data } of dropped) this.#characters -= data.length;
    this.#after = dropped.at(-1)?.position ?? this.#after;
  }
}
