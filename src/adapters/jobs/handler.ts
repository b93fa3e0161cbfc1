import type { CommandContext } from '../../kernel/context.ts';
import type { JsonObject } from '../../kernel/event.ts';

/** What a job is told besides its data. */
export interface JobRun {
  /** Aborts when the process is about to end. */
  signal: AbortSignal;
  /** This is the last time that it is tried. */
  last: boolean;
}

/** Does one job. What it throws makes the job be tried again, a few times and ever later. */
export type JobHandler = (data: JsonObject, run: JobRun) => Promise<void>;

/** A kind of job: its name in the queue, and what is done. */
export interface JobDefinition {
  name: string;
  /** How many at a time in one process; 1 unless given. */
  running?: number;
  work: (ctx: CommandContext, data: JsonObject, run: JobRun) => Promise<void>;
}
