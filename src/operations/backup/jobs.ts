import type { JsonObject } from '#kernel/event.ts';
import type { Jobs } from '#kernel/services/jobs.ts';
import { readLines } from './lines.ts';
import type { OpenBackup } from './load.ts';

/** Jobs per read. */
const PAGE = 100;

interface Job {
  name: string;
  data: JsonObject | null;
  singleton_key: string | null;
  /** The time at which it is due, ISO 8601. */
  start_after: string;
  /** Absent in older backups. */
  priority?: number;
}

/**
 * Puts the jobs of a backup into the queue. A repeat does no harm, since jobs may run twice. `now`:
 * milliseconds since 1970.
 */
export async function restoreJobs(
  jobs: Jobs,
  { dir, manifest, box }: OpenBackup,
  now: number,
): Promise<void> {
  for await (const page of readLines(dir, manifest.jobs, PAGE, box)) {
    for (const line of page) {
      const { name, data, singleton_key, start_after, priority = 0 } = JSON.parse(line) as Job;
      await jobs.enqueue(name, data ?? {}, {
        ...(singleton_key === null ? {} : { singletonKey: singleton_key }),
        priority,
        after: Math.max(0, Math.ceil((Date.parse(start_after) - now) / 1_000)),
      });
    }
  }
}
