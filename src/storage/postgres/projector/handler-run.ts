import type { RecordedEvent } from '#kernel/event.ts';
import type { Handler } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { encodeArrays } from '../arrays.ts';

/** Milliseconds for which a handler may wait for something else than a statement. */
export const IDLE = 60_000;

/**
 * One call of a handler, which may do anything: its promise may never settle, and it may leave others behind. A statement
 * of a handler that has ended would run outside of its transaction, so it is refused.
 */
export class HandlerRun {
  readonly #db: Db;
  readonly #idle: number;
  #statements = 0;
  #hasEnded = false;

  constructor(db: Db, idle: number) {
    this.#db = db;
    this.#idle = idle;
  }

  /** @throws the error of the handler, or Error when it does not end */
  async apply(handler: Handler, events: readonly RecordedEvent[]): Promise<void> {
    const expired = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      if (this.#statements > 0) timer.refresh();
      else expired.reject(new Error(`The handler neither ends nor runs a statement for ${this.#idle} ms`));
    }, this.#idle);
    try {
      await Promise.race([handler.apply(events, this.#watched(timer)), expired.promise]);
    } finally {
      this.#hasEnded = true;
      clearTimeout(timer);
    }
  }

  #watched(timer: NodeJS.Timeout): Db {
    return {
      query: async (asked, values) => {
        if (this.#hasEnded) throw new Error('The handler of this statement has ended');
        this.#statements += 1;
        try {
          return await this.#db.query(asked, values && encodeArrays(asked, values));
        } finally {
          this.#statements -= 1;
          if (!this.#hasEnded) timer.refresh();
        }
      },
    };
  }
}
