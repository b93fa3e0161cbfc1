import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './deadlines.ts';

/** Milliseconds to wait for other processes before the test fails. */
export const PATIENCE = patience(30_000);

/**
 * Retries until `check` passes, for effects that other processes see a moment later. On timeout, throws the
 * last error of `check`.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + patience(30_000);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(20);
    }
  }
}
