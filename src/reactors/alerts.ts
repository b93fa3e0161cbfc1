import { timer } from '#kernel/reactor.ts';
import { everySoOften } from './every-so-often.ts';

/** Milliseconds. */
const EVERY = 30_000;

/** Looks after what the operator has to know: one process does, the one that runs the reactors. */
export const alertTimer = timer({
  name: 'alerts',
  wakes: [],
  reads: [],
  due: everySoOften('alerts', EVERY),
  fire: ({ services, now, newId }) => services.alerts.evaluate(now, newId),
});
