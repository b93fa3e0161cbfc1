import { pbkdf2Sync } from 'node:crypto';
import Mocha from 'mocha';

/** Milliseconds of `work` on a quiet machine of two cores (2026), on which the deadlines of specs were chosen. */
const USUAL = 27;
const MOST = 10;
/** Milliseconds after which the machine may have become slower. */
const VALID = 60_000;

const work = (): unknown => pbkdf2Sync('rookery', 'specs', 200_000, 32, 'sha256');

/** Returns how many times longer than usual the work of this process takes, by the median of three tries. */
function measure(): number {
  const tries = Array.from({ length: 3 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return (tries.sort((a, b) => a - b)[1] ?? USUAL) / USUAL;
}

/** At least 1. The longest of the measurings of this process, the first of them before its first spec. */
let slowness = 1;
let measuredAt = -VALID;

/** Returns the milliseconds that a spec waits on this machine for something that it waits so long for on a quiet one. */
export function patience(milliseconds: number): number {
  if (performance.now() - measuredAt > VALID) {
    slowness = Math.min(MOST, Math.max(slowness, measure()));
    measuredAt = performance.now();
  }
  return Math.round(milliseconds * slowness);
}

/** Settings of a server under test: its requests wait this long for its read models. */
export const settleTimeout = (): { SETTLE_TIMEOUT_MS: string } => ({
  SETTLE_TIMEOUT_MS: String(Math.min(60_000, patience(5_000))),
});

interface Runnable {
  timeout: (this: unknown, milliseconds?: string | number) => unknown;
}

/** Scales the timeouts of tests and hooks when Mocha reads them; it hands them down by writing them. */
const runnable = Mocha.Runnable.prototype as Runnable;
const { timeout } = runnable;
runnable.timeout = function (milliseconds) {
  return milliseconds === undefined ? patience(Number(timeout.call(this))) : timeout.call(this, milliseconds);
};
