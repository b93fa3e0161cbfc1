import { pause } from '#kernel/pause.ts';

/** Milliseconds of one measurement of the process. */
const LOOK = 50;
/** The share of working time above which the process is busy. */
const BUSY = 0.6;
/** Milliseconds between two measurements of a busy process. */
const AGAIN = 1_000;
/** Milliseconds after which work proceeds despite the load, a piece per measurement. */
const PATIENCE = 10 * 60_000;

/**
 * Waits until this process has little to do. After ten minutes of load it waits only briefly each time.
 * @param started the start of the work, by `performance.now()`
 * @returns false when the signal aborts
 */
export async function idle(started: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const before = performance.eventLoopUtilization();
    await pause(LOOK, signal);
    if (performance.eventLoopUtilization(before).utilization <= BUSY) break;
    await pause(AGAIN, signal);
    if (performance.now() - started > PATIENCE) break;
  }
  return !signal.aborted;
}
