import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { LIKE_MASTODON, VERSION } from '#config/version.ts';
import type { SoftwareVersions } from '#kernel/services/software-versions.ts';
import type { EventStore } from '#storage/eventlog/port.ts';

/** Milliseconds for which the size of the media folder is cached: adding it up reads every file's size. */
const REMEMBERED = 10 * 60_000;

interface Options {
  /** Absent when files are in a bucket, whose service counts them. */
  mediaFolder?: string | undefined;
  redis?: Redis | undefined;
  eventStore?: Pick<EventStore, 'serverVersion'>;
  now?: () => number;
}

/** Reports the software under this process, besides the database. */
export function createSoftwareVersions({
  mediaFolder,
  redis,
  eventStore,
  now = Date.now,
}: Options): SoftwareVersions {
  let media: { until: number; bytes: Promise<number> } | undefined;
  const mediaBytes = (folder: string): Promise<number> => {
    if (!media || now() >= media.until) {
      media = { until: now() + REMEMBERED, bytes: sizeOfFolder(folder) };
      media.bytes.catch(() => (media = undefined));
    }
    return media.bytes;
  };

  return {
    async usage() {
      const [memory, bytes] = await Promise.all([
        redisSays(redis, 'memory', 'used_memory'),
        mediaFolder === undefined ? undefined : mediaBytes(mediaFolder),
      ]);
      return [
        ...(memory === undefined ? [] : [{ key: 'redis', human_key: 'Redis', bytes: Number(memory) }]),
        ...(bytes === undefined ? [] : [{ key: 'media', human_key: 'Media storage', bytes }]),
      ];
    },
    async versions() {
      const [version, logVersion] = await Promise.all([
        redisSays(redis, 'server', 'redis_version'),
        eventStore?.serverVersion(),
      ]);
      return [
        { key: 'mastodon', human_key: 'Mastodon (compatible)', version: LIKE_MASTODON },
        { key: 'rookery', human_key: 'Rookery', version: VERSION },
        { key: 'node', human_key: 'Node.js', version: process.versions.node },
        ...(version === undefined ? [] : [{ key: 'redis', human_key: 'Redis', version }]),
        ...(logVersion === undefined
          ? []
          : [{ key: 'eventstoredb', human_key: 'EventStoreDB', version: logVersion }]),
      ];
    },
  };
}

/** Returns a line of Redis's INFO; undefined without Redis, or when it cannot be reached. */
async function redisSays(
  redis: Redis | undefined,
  section: string,
  name: string,
): Promise<string | undefined> {
  const info = await redis?.info(section).catch(() => undefined);
  return new RegExp(`^${name}:(\\S+)`, 'm').exec(info ?? '')?.[1];
}

/** Returns the bytes of all files below a folder; a file that disappears meanwhile does not count. */
async function sizeOfFolder(folder: string): Promise<number> {
  let bytes = 0;
  const entries = await opendir(folder, { recursive: true }).catch(() => undefined);
  if (!entries) return 0;
  for await (const entry of entries) {
    if (!entry.isFile()) continue;
    const file = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += file?.size ?? 0;
  }
  return bytes;
}
