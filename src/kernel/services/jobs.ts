import type { JsonObject } from '../event.ts';

export interface JobOptions {
  singletonKey?: string;
  after?: number;
  owner?: string;
  /** The turn of a job that was queued before, in place of one that `owner` gives; higher ones come first. */
  priority?: number;
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
}
