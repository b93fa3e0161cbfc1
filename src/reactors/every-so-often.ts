import type { Timer } from '#kernel/reactor.ts';
import { timeAfter } from '#kernel/time.ts';

/** Returns a rule by which a timer fires at its start, and then so often. */
export const everySoOften =
  (key: string, milliseconds: number): Timer['due'] =>
  (_db, now, except) =>
    Promise.resolve({ rows: except.includes(key) ? [] : [{ key }], next: timeAfter(now, milliseconds) });
