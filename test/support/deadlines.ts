import { pbkdf2Sync } from 'node:crypto';
import Mocha from 'mocha';

/** Milliseconds of `work` on a quiet machine of two cores (2026), on which the deadlines of specs were chosen. */
const USUAL = 27;
const MOST = 10;

const work = (): unknown => pbkdf2Sync('rookery', 'specs', 200_000, 32, 'sha256');

/** Returns how many times longer than usual the work of this process takes, by the median of three tries. */
function measure(): number {
  const tries = Array.from({ length: 3 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(MOST, Math.max(1, (tries.sort((a, b) => a - b)[1] ?? USUAL) / USUAL));
}

/** At least 1. Measured once for each process, before its first spec. */
const slowness = measure();

/** Returns the milliseconds that a spec waits on this machine for something that it waits so long for on a quiet one. */
export const patience = (milliseconds: number): number => Math.round(milliseconds * slowness);

interface Runnable {
  timeout: (this: unknown, milliseconds?: string | number) => unknown;
}

/** Scales the timeouts of tests and hooks when Mocha reads them; it hands them down by writing them. */
const runnable = Mocha.Runnable.prototype as Runnable;
const { timeout } = runnable;
runnable.timeout = function (milliseconds) {
  return milliseconds === undefined ? patience(Number(timeout.call(this))) : timeout.call(this, milliseconds);
};
