import type { CommandContext } from '#kernel/context.ts';
import type { JsonObject } from '#kernel/event.ts';

/** Arguments of a job besides its data. */
export interface JobRun {
  /** Aborts when the process is about to end. */
  signal: AbortSignal;
  /** The last try. */
  last: boolean;
}

/** Does one job. After an error the job is retried a few times, at growing intervals. */
export type JobHandler = (data: JsonObject, run: JobRun) => Promise<void>;

/** How many jobs of a kind one process does at a time. */
export interface JobPlaces {
  /** Concurrent jobs; 1 unless given. */
  running?: number;
  /** Jobs that wait for other servers beside the concurrent ones; 0 unless given. */
  outside?: number;
}

/** A kind of job: its name in the queue, and its work. */
export interface JobDefinition extends JobPlaces {
  name: string;
  work: (ctx: CommandContext, data: JsonObject, run: JobRun) => Promise<void>;
}
