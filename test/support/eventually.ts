import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds after which what other processes do is taken to have failed; long, since specs run on slow and busy machines. */
export const PATIENCE = 30_000;

/** Tries until `check` passes: for what other processes hear of a moment later. When that took too long, its own error is thrown. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(20);
    }
  }
}
