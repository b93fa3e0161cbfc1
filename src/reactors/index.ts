import type { Reactor, Timer } from '../kernel/reactor.ts';

/** Every reactor there is. */
export const reactors: readonly Reactor[] = [];

/** Everything that happens at a time. */
export const timers: readonly Timer[] = [];
