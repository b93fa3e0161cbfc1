import type { JsonObject } from '../kernel/event.ts';

/**
 * Does one job. What it throws makes the job be tried again, a few times and ever later; `last` tells that this is the
 * last time. The signal says that the process is about to end.
 */
export type JobHandler = (data: JsonObject, run: { signal: AbortSignal; last: boolean }) => Promise<void>;
