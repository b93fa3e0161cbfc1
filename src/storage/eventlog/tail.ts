import type { StoredEvent } from './port.ts';

const MAX_EVENTS = 2_048;
const MAX_CHARACTERS = 16_000_000;

/** A reader of the log and its position. */
export interface LogReader {
  position: bigint;
}

/**
 * The newest events that this process appended, as long as no event of another process is between them:
 * readers in the same process need not ask Postgres for events that were in memory a moment ago. Positions
 * are consecutive. Events that all readers have passed are dropped, because keeping them costs the garbage
 * collector more than everything else about an event.
 */
export class Tail {
  /** The readers for whom events are kept; without any, the newest events are kept. */
  readonly readers = new Set<LogReader>();
  #events: StoredEvent[] = [];
  #characters = 0;

  push(events: readonly StoredEvent[]): void {
    const newest = this.#events.at(-1);
    if (newest && events[0]?.position !== newest.position + 1n) {
      this.#events = [];
      this.#characters = 0;
    }
    for (const event of events) {
      this.#events.push(event);
      this.#characters += event.data.length;
    }
    this.#drop(this.#read());
    if (this.#events.length > MAX_EVENTS || this.#characters > MAX_CHARACTERS) {
      this.#drop(Math.floor(this.#events.length / 2));
    }
  }

  /** Returns the events after a position; undefined when this process does not know all of them. */
  read(after: bigint, limit: number): StoredEvent[] | undefined {
    const first = this.#events[0];
    const newest = this.#events.at(-1);
    if (!first || !newest || after + 1n < first.position || after >= newest.position) return undefined;
    const start = Number(after + 1n - first.position);
    return this.#events.slice(start, start + limit);
  }

  /** Returns how many events all readers have passed. */
  #read(): number {
    const [first] = this.#events;
    if (!first || this.readers.size === 0) return 0;
    let last = first.position + BigInt(this.#events.length) - 1n;
    for (const { position } of this.readers) if (position < last) last = position;
    return Math.max(Number(last - first.position) + 1, 0);
  }

  #drop(count: number): void {
    if (count === 0) return;
    for (const { data } of this.#events.splice(0, count)) this.#characters -= data.length;
  }
}
