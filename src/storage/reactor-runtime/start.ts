import { pause } from '#kernel/pause.ts';
import { LOCKS } from '../postgres/locks.ts';
import { acquireSessionLock } from '../postgres/session-lock.ts';
import { Leadership } from './leadership.ts';
import type { ReactorsOptions } from './options.ts';
import { positionsOf, register, RETRY_CHANNEL } from './store.ts';

/** Milliseconds to wait after a leadership that failed. */
const AGAIN = 1_000;

/** The reactors and timers of this process. */
export interface RunningReactors {
  /**
   * Waits until all reactors are done with everything up to the position of the log.
   * @returns false after `timeout` milliseconds
   */
  reached(position: bigint, timeout: number): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Runs the reactors and timers, in this process or in the one of several that holds the lock. When that one
 * dies, another takes over within about a second. New reactors have their position in the log when this
 * resolves.
 */
export async function startReactors(options: ReactorsOptions): Promise<RunningReactors> {
  const { reactors, log, db, onError } = options;
  const head = await log.head();
  await register(db, new Map(reactors.map(({ name, begins }) => [name, begins === 'head' ? head : 0n])));
  const stopping = new AbortController();
  const { signal } = stopping;
  let term: Leadership | undefined;
  const running = lead();

  async function lead(): Promise<void> {
    while (!signal.aborted) {
      try {
        await oneTerm();
      } catch (error) {
        onError(error);
        await pause(AGAIN, signal);
      }
    }
  }

  async function oneTerm(): Promise<void> {
    const lock = await acquireSessionLock({
      url: options.url,
      key: LOCKS.reactors,
      applicationName: 'rookery reactors',
      channel: RETRY_CHANNEL,
      onNotification: () => term?.retry(),
      signal,
    });
    if (!lock) return;
    try {
      term = new Leadership(options, await positionsOf(db), AbortSignal.any([signal, lock.lost]));
      await term.run();
    } finally {
      term = undefined;
      await lock.release();
    }
  }

  return {
    async reached(position, timeout) {
      const end = performance.now() + timeout;
      while ((await slowest()) < position) {
        if (performance.now() > end) return false;
        await pause(10);
      }
      return true;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };

  /** Returns the position of the slowest reactor, as this process knows it or as another one stored it. */
  async function slowest(): Promise<bigint> {
    const positions = term?.positions() ?? (await positionsOf(db));
    return least(reactors.map(({ name }) => positions.get(name) ?? 0n)) ?? (await log.head());
  }
}

/** Returns the least of some positions. */
const least = (positions: readonly bigint[]): bigint | undefined =>
  positions.reduce<bigint | undefined>(
    (lowest, position) => (lowest === undefined || position < lowest ? position : lowest),
    undefined,
  );
