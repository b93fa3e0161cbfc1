import type { CommandContext } from '../../kernel/context.ts';
import type { JsonObject } from '../../kernel/event.ts';

/** Arguments of a job besides its data. */
export interface JobRun {
  /** Aborts when the process is about to end. */
  signal: AbortSignal;
  /** The last try. */
  last: boolean;
}

/** Does one job. After an error the job is retried a few times, at growing intervals. */
export type JobHandler = (data: JsonObject, run: JobRun) => Promise<void>;

/** A kind of job: its name in the queue, and its work. */
export interface JobDefinition {
  name: string;
  /** Concurrent jobs in one process; 1 unless given. */
  running?: number;
  work: (ctx: CommandContext, data: JsonObject, run: JobRun) => Promise<void>;
}
