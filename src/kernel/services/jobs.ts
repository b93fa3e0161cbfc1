import type { JsonObject } from '../event.ts';

/** Work that is done later, by a process that has the role for it, also after a crash. */
export interface Jobs {
  /**
   * Stores a job. One that has the same name and key and still waits is the same job. Its handler may run twice, so it
   * must not mind. `after`: seconds that it waits at least.
   */
  enqueue(name: string, data: JsonObject, options?: { singletonKey?: string; after?: number }): Promise<void>;
  /** How many jobs of a name wait. */
  waiting(name: string): Promise<number>;
}
