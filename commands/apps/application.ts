import type { ApplicationEvent } from '../../src/events/apps.ts';
import type { Decider } from '../../src/kernel/decider.ts';

/** An application is created once and never changes. */
export const applicationDecider: Decider<{ exists: boolean }, ApplicationEvent> = {
  initialState: { exists: false },
  evolve: () => ({ exists: true }),
};
