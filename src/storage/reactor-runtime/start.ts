import { pause } from '../../kernel/pause.ts';
import { LOCKS } from '../postgres/locks.ts';
import { acquireSessionLock } from '../postgres/session-lock.ts';
import type { ReactorsOptions } from './options.ts';
import { positionsOf, register, RETRY_CHANNEL } from './store.ts';
import { least, Leadership } from './leadership.ts';

/** After a term that failed, in milliseconds. */
const AGAIN = 1_000;

/** The reactors and timers of this process. */
export interface RunningReactors {
  /**
   * Waits until all reactors are done with everything up to the position of the log.
   * @returns false when `timeout` milliseconds pass before
   */
  reached(position: bigint, timeout: number): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Runs the reactors and timers, here or in the one process of several that holds the lock; another takes over within
 * about a second when that one dies. Reactors that are new have their place in the log when this resolves.
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

  /** How far the slowest reactor is: as this process knows, or as another one has stored. */
  async function slowest(): Promise<bigint> {
    const positions = term?.positions() ?? (await positionsOf(db));
    return least(reactors.map(({ name }) => positions.get(name) ?? 0n)) ?? (await log.head());
  }
}
