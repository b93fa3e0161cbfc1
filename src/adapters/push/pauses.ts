import { LRUCache } from 'lru-cache';
import { atMost } from '../../kernel/lru.ts';

/** So many failures in a row make a push service count as away. */
const MAX_FAILURES = 3;
/** Milliseconds of the first pause; each further one is twice as long, up to the longest. */
const FIRST_PAUSE = 30_000;
const LONGEST_PAUSE = 15 * 60_000;
/** Milliseconds in which one message finds out whether the service is back, while the others wait. */
const TRYING = 15_000;

interface Pause {
  failures: number;
  /** How many pauses there were in a row. */
  times: number;
  /** Milliseconds since 1970. */
  until: number;
}

/**
 * Which push services are away, and how long nothing is sent there: else each message would wait for its own time-out. In the memory
 * of the process: another one finds out by itself. Keys are hosts, or endpoints that are asked to wait by themselves. Times are in
 * milliseconds.
 */
export class PushPauses {
  readonly #pauses = new LRUCache<string, Pause>(atMost(10_000));

  /** How long nothing is sent to any of these; 0 for not at all. */
  left(keys: readonly string[], now: number): number {
    return Math.max(0, ...keys.map((key) => (this.#pauses.get(key)?.until ?? 0) - now));
  }

  /** The same before something is sent. Where a pause is just over, this one goes first, and others wait for what becomes of it. */
  enter(keys: readonly string[], now: number): number {
    const left = this.left(keys, now);
    if (left > 0) return left;
    for (const key of keys) {
      const pause = this.#pauses.get(key);
      if (pause && pause.times > 0) this.#pauses.set(key, { ...pause, until: now + TRYING });
    }
    return 0;
  }

  /** How many pauses a service had in a row. */
  times(key: string): number {
    return this.#pauses.get(key)?.times ?? 0;
  }

  /** It asks to be left alone for a while. */
  asked(key: string, wait: number, now: number): void {
    const { failures = 0, times = 0 } = this.#pauses.get(key) ?? {};
    this.#pauses.set(key, { failures, times: times + 1, until: now + wait });
  }

  /** Something that was sent after so many pauses did not get there, or found it out of order. */
  failed(key: string, pauses: number, now: number): void {
    const { failures, times, until } = this.#pauses.get(key) ?? NEVER;
    // It was under way when the pause began that is now: nothing new.
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
