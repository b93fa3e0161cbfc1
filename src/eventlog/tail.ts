import type { StoredEvent } from './port.ts';

const MAX_EVENTS = 2_048;
const MAX_CHARACTERS = 16_000_000;

/**
 * The newest events that this process itself appended, for as long as nobody else's stand between them: readers in the
 * same process need not ask Postgres for what was in memory a moment ago. Positions are consecutive.
 */
export class Tail {
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
    if (this.#events.length > MAX_EVENTS || this.#characters > MAX_CHARACTERS) this.#trim();
  }

  /** The events after a position; undefined when they are not all known here. */
  read(after: bigint, limit: number): StoredEvent[] | undefined {
    const first = this.#events[0];
    const newest = this.#events.at(-1);
    if (!first || !newest || after + 1n < first.position || after >= newest.position) return undefined;
    const start = Number(after + 1n - first.position);
    return this.#events.slice(start, start + limit);
  }

  #trim(): void {
    this.#events = this.#events.slice(Math.ceil(this.#events.length / 2));
    this.#characters = this.#events.reduce((sum, event) => sum + event.data.length, 0);
  }
}
