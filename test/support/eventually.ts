import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until `check` passes: for what other processes hear of a moment later. After 10 seconds its own error is thrown. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + 10_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(20);
    }
  }
}
