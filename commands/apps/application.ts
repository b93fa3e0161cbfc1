import type { ApplicationEvent } from '#events/apps.ts';
import type { Decider } from '#kernel/decider.ts';

/** An application is created once and never changes. */
export const applicationDecider: Decider<{ exists: boolean }, ApplicationEvent> = {
  initialState: { exists: false },
  evolve: () => ({ exists: true }),
};
