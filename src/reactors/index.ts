import type { Reactor, Timer } from '../kernel/reactor.ts';
import { scheduledStatusPublisher, scheduledStatusTimer } from './scheduled-statuses.ts';

/** Every reactor there is. */
export const reactors: readonly Reactor[] = [scheduledStatusPublisher];

/** Everything that happens at a time. */
export const timers: readonly Timer[] = [scheduledStatusTimer];
