import type { Connection } from './eventstoredb-connection.ts';
import { Cursor } from './eventstoredb-cursor.ts';
import type { Ownership } from './eventstoredb-encoding.ts';
import { readAfter } from './eventstoredb-requests.ts';
import type { StoredEvent } from './port.ts';

export interface ForwardsOptions {
  ownership: Ownership;
  /** Milliseconds that a read may stay silent. */
  silenceMs: number;
  /** Returns the position of the newest event. */
  head: () => Promise<bigint>;
}

/** Cursors that wait for their consumers at a time, and milliseconds that each of them waits. */
const MOST_KEPT = 4;
const KEPT_MS = 5_000;
/** Ends of full pages that are remembered. */
const MOST_ENDS = 16;

/**
 * Reads pages of the log. A consumer that continues where a full page ended gets the rest from one read,
 * which goes on between its pages.
 */
export class Forwards {
  readonly #connection: Connection;
  readonly #options: ForwardsOptions;
  /** By the position at which they continue. */
  readonly #kept = new Map<bigint, { cursor: Cursor; timer: NodeJS.Timeout }>();
  readonly #ends = new Set<bigint>();

  constructor(connection: Connection, options: ForwardsOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Returns at most `limit` events after a position; fewer only at the head. */
  async page(after: bigint, limit: number): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    const continues = this.#ends.delete(after);
    let cursor = this.#resume(after);
    let isKept = cursor !== undefined;
    try {
      for (;;) {
        cursor ??= await this.#open(events.at(-1)?.position ?? after);
        if (!cursor) return events;
        if (continues || isKept) cursor.readAhead();
        events.push(...(await cursor.take(limit - events.length)));
        const last = events.at(-1);
        if (last && events.length >= limit) {
          this.#leave(last.position, cursor, continues || isKept);
          return events;
        }
        // A kept cursor knows an old head.
        if (!isKept) return events;
        isKept = false;
        cursor = undefined;
      }
    } catch (error) {
      cursor?.close();
      throw error;
    }
  }

  close(): void {
    for (const position of this.#kept.keys()) this.#resume(position)?.close();
  }

  /** Takes a cursor out of those that wait. */
  #resume(position: bigint): Cursor | undefined {
    const kept = this.#kept.get(position);
    if (!kept) return undefined;
    this.#kept.delete(position);
    clearTimeout(kept.timer);
    return kept.cursor.failed ? undefined : kept.cursor;
  }

  /** Notes the end of a full page. */
  #leave(position: bigint, cursor: Cursor, isContinued: boolean): void {
    note(this.#ends, position);
    if (isContinued) this.#keep(position, cursor);
    else cursor.close();
  }

  #keep(position: bigint, cursor: Cursor): void {
    this.#resume(position)?.close();
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size >= MOST_KEPT) this.#resume(oldest)?.close();
    const timer = setTimeout(() => this.#resume(position)?.close(), KEPT_MS).unref();
    this.#kept.set(position, { cursor, timer });
  }

  /** @returns undefined without events after the position */
  async #open(after: bigint): Promise<Cursor | undefined> {
    const { ownership, silenceMs, head } = this.#options;
    // Beyond the head, the server would look through all that other programs have stored since.
    const last = await head();
    if (after >= last) return undefined;
    const call = this.#connection.read(readAfter(after, ownership.streams));
    return new Cursor(call, { ownership, after, last, silenceMs, probe: head });
  }
}

function note(positions: Set<bigint>, position: bigint): void {
  const [oldest] = positions;
  if (oldest !== undefined && positions.size >= MOST_ENDS) positions.delete(oldest);
  positions.add(position);
}
