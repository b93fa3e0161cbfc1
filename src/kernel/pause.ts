import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after some milliseconds, or when the signal aborts: callers check the signal themselves. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, signal && { signal }).catch(() => undefined);
