import { pause } from '../../kernel/pause.ts';

/** Milliseconds that the process is watched. */
const LOOK = 50;
/** The share of them in which it had something to do; above this it is busy. */
const BUSY = 0.6;
/** Between two looks at a busy process, in milliseconds. */
const AGAIN = 1_000;
/** Milliseconds after which work goes on beside a load that does not end, a piece at each look. */
const PATIENCE = 10 * 60_000;

/**
 * Waits until this process has little to do. After ten minutes of load it waits only a little each time.
 * @param started when the work began, by `performance.now()`
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
