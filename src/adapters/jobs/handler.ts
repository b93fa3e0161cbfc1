import type { CommandContext } from '../../kernel/context.ts';
import type { JsonObject } from '../../kernel/event.ts';

/** Arguments of a job besides its data. */
export interface JobRun {
  /** Aborts when the process is about to end. */
  signal: AbortSignal;
  /** This is the last time that it is tried. */
  last: boolean;
}

/** Does one job. After an error the job is tried again, a few times and at growing intervals. */
export type JobHandler = (data: JsonObject, run: JobRun) => Promise<void>;

/** A kind of job: its name in the queue, and what is done. */
export interface JobDefinition {
  name: string;
  /** How many at a time in one process; 1 unless given. */
  running?: number;
  work: (ctx: CommandContext, data: JsonObject, run: JobRun) => Promise<void>;
}
