import { LRUCache } from 'lru-cache';
import { atMost } from '#kernel/lru.ts';

/** Failures in a row after which a push service counts as down. */
const MAX_FAILURES = 3;
/** Milliseconds of the first pause; each further one is twice as long, up to the maximum. */
const FIRST_PAUSE = 30_000;
const LONGEST_PAUSE = 15 * 60_000;
/** Milliseconds in which one message tests the service, while the others wait. */
const TRYING = 15_000;

interface Pause {
  failures: number;
  /** The number of pauses in a row. */
  times: number;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * The push services that are down, and the ends of their pauses: otherwise each message would wait for its
 * own timeout. In the memory of the process: another process finds out by itself. Keys are hosts, or
 * endpoints that requested a pause. Times are in milliseconds.
 */
export class PushPauses {
  readonly #pauses = new LRUCache<string, Pause>(atMost(10_000));

  /** Returns the time until a message may be sent to any of these; 0 for now. */
  left(keys: readonly string[], now: number): number {
    return Math.max(0, ...keys.map((key) => (this.#pauses.get(key)?.until ?? 0) - now));
  }

  /**
   * Returns the same before a message is sent. When a pause has just ended, this message goes first, and
   * others wait for its outcome.
   */
  enter(keys: readonly string[], now: number): number {
    const left = this.left(keys, now);
    if (left > 0) return left;
    for (const key of keys) {
      const pause = this.#pauses.get(key);
      if (pause && pause.times > 0) this.#pauses.set(key, { ...pause, until: now + TRYING });
    }
    return 0;
  }

  /** Returns the number of a service's pauses in a row. */
  times(key: string): number {
    return this.#pauses.get(key)?.times ?? 0;
  }

  /** Records a pause that the service requested. */
  asked(key: string, wait: number, now: number): void {
    const { failures = 0, times = 0 } = this.#pauses.get(key) ?? {};
    this.#pauses.set(key, { failures, times: times + 1, until: now + wait });
  }

  /** Records that a message did not arrive, which was sent after so many pauses. */
  failed(key: string, pauses: number, now: number): void {
    const { failures, times, until } = this.#pauses.get(key) ?? NEVER;
    // It was sent before the present pause began, and proves nothing new.
    if (pauses < times) return;
    const away = times > 0 || failures + 1 >= MAX_FAILURES;
    const pause = Math.min(FIRST_PAUSE * 2 ** times, LONGEST_PAUSE);
    this.#pauses.set(
      key,
      away
        ? { failures: failures + 1, times: times + 1, until: now + pause }
        : { failures: failures + 1, times, until },
    );
  }

  answered(key: string): void {
    this.#pauses.delete(key);
  }
}

const NEVER: Pause = { failures: 0, times: 0, until: 0 };
