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
   * Stores a job. One that has the same name and key and still waits is the same job. Its handler may run twice, so it
   * must not mind. `after`: seconds that it waits at least.
   * `owner`: the account that it is for. Owners take turns: the next job is that of the owner with the fewest before it.
   */
  enqueue(name: string, data: JsonObject, options?: JobOptions): Promise<void>;
  /** How many jobs of a name wait. */
  waiting(name: string): Promise<number>;
}
