import { freemem, totalmem } from 'node:os';
import { roomIn } from '#adapters/disk.ts';
import type { HealthFinding, Machine, ServerHealth } from '#kernel/services/server-health.ts';
import { type ExaminationSources, examine } from './examination.ts';
import type { Foundation } from './foundation.ts';

/** Milliseconds for which what was found counts: an examination reads much. */
const REMEMBERED = 10_000;

/** Looks at the parts of the server in the way of `rookery doctor`. */
export function createServerHealth(
  { config, redis }: Pick<Foundation, 'config' | 'redis'>,
  sources: ExaminationSources,
): ServerHealth {
  let looked: { until: number; findings: Promise<HealthFinding[]> } | undefined;
  const redisState = async (): Promise<Machine['redis']> => {
    if (!redis) return 'unused';
    return redis.ping().then(
      () => 'up' as const,
      () => 'down' as const,
    );
  };
  return {
    examine: () => {
      if (!looked || performance.now() >= looked.until) {
        looked = { until: performance.now() + REMEMBERED, findings: examine(sources) };
        looked.findings.catch(() => (looked = undefined));
      }
      return looked.findings;
    },
    machine: async () => {
      const [room, redisNow] = await Promise.all([roomIn(sources.dataDir), redisState()]);
      return {
        disk: room ? { folder: sources.dataDir, ...room } : null,
        memory: { process: process.memoryUsage.rss(), free: freemem(), total: totalmem() },
        uptime_seconds: Math.round(process.uptime()),
        redis: redisNow,
        event_log: config.eventStoreUrl === undefined ? 'postgresql' : 'eventstoredb',
      };
    },
  };
}
