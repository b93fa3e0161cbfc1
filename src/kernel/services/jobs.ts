import type { JsonObject } from '../event.ts';

export interface JobOptions {
  singletonKey?: string;
  after?: number;
  owner?: string;
  /** The turn of a job that was queued before, in place of one that `owner` gives; higher ones come first. */
  priority?: number;
}

/** The unfinished and failed jobs of one kind. */
export interface JobKind {
  name: string;
  running: number;
  waiting: number;
  /** Not due yet. */
  scheduled: number;
  /** Failed, and to be tried again. */
  retrying: number;
  /** Failed as often as they may. */
  failed: number;
  /** The time since which the oldest one that is due waits, ISO 8601. */
  oldest_at: string | null;
}

export interface JobInfo {
  id: string;
  name: string;
  state: 'running' | 'waiting' | 'scheduled' | 'retrying' | 'failed';
  /** Tries that failed. */
  tries: number;
  created_at: string;
  due_at: string;
  started_at: string | null;
  error: string | null;
}

export interface JobsOverview {
  kinds: JobKind[];
  /** Running ones first, then failed ones, then by the time at which they are due. */
  jobs: JobInfo[];
}

/** Work that is done later, by a process that has the role for it, also after a crash. */
export interface Jobs {
  /**
   * Stores a job. A waiting job with the same name and key is the same job. Its handler may run twice, so it
   * must be idempotent. `after`: the least seconds to wait. `owner`: the account that it serves. Owners take
   * turns: the next job belongs to the owner with the fewest jobs before it.
   */
  enqueue(name: string, data: JsonObject, options?: JobOptions): Promise<void>;
  /** How many jobs of a name wait. */
  waiting(name: string): Promise<number>;
  /** Returns the unfinished and failed jobs; of one kind, the kinds are all the same. */
  overview(which: { name?: string | undefined; limit: number }): Promise<JobsOverview>;
}
