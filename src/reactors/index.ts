import type { Reactor, Timer } from '../kernel/reactor.ts';
import { blockedDomains } from './domain-blocks.ts';

/** Every reactor there is. */
export const reactors: readonly Reactor[] = [blockedDomains];

/** Everything that happens at a time. */
export const timers: readonly Timer[] = [];
