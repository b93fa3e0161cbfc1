import { statfs } from 'node:fs/promises';
import { deliveryFigures } from '../../queries/federation/index.ts';
import type { App } from '../app.ts';
import { lagsBehind } from '../eventlog/lag.ts';
import type { HealthOptions } from '../http/health.ts';
import { createMetrics, type Metrics, type MetricsSources } from '../http/metrics.ts';
import { ignoreMissing } from '../kernel/files.ts';
import { assertFollowing } from '../postgres/following.ts';
import { assertNothingSetAside, reactorStates } from '../reactors/runtime/store.ts';

/** What `/metrics` tells of this process and of what it stands on. */
export const metricsOf = (app: App, streams: NonNullable<MetricsSources['streams']>): Metrics =>
  createMetrics({
    streams,
    projections: () => app.checkpoints.groups(),
    reactors: () => reactorStates(app.db),
    deliveries: { tries: app.federation.deliveries.tries, waiting: () => deliveryFigures(app.db) },
    lags: (positions) => lagsBehind(app.log, positions, Date.now()),
    history: () => app.history.assertUnaltered(),
  });

/** What `/health` looks at. */
export const healthOf = ({ db, log, checkpoints, history, redis, config }: App): HealthOptions => ({
  checks: {
    database: () => db.query('select 1'),
    log: () => log.head(),
    projections: () => assertFollowing(checkpoints, log),
    history: () => history.assertUnaltered(),
  },
  needs: { projections: ['log', 'database'], history: ['log', 'database'], log: ['database'] },
  warnings: {
    reactors: () => assertNothingSetAside(db),
    disk: () => assertRoom(config.dataDir),
    // A full one, and one that is a replica, still answers what is read.
    ...(redis ? { redis: () => redis.set('health', '', 'EX', 60) } : {}),
  },
});

/** Bytes. What is written at once (a video, the log of PostgreSQL, a picture in three sizes) has room then. */
const ENOUGH_ROOM = 512 * 1024 * 1024;

/** @throws Error where the disk of a folder is nearly full */
async function assertRoom(folder: string): Promise<void> {
  // Where everything is elsewhere, there is no such folder.
  const found = await statfs(folder).catch(ignoreMissing);
  if (found && found.bavail * found.bsize < ENOUGH_ROOM)
    throw new Error(`There is little room left in ${folder}`);
}
