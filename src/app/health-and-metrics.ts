import { ENOUGH_ROOM, roomIn } from '#adapters/disk.ts';
import type { HealthOptions } from '#interfaces/http/health.ts';
import { createMetrics, type Metrics, type MetricsSources } from '#interfaces/http/metrics.ts';
import { OF_VIEWERS } from '#interfaces/oauth/users.ts';
import { isAltered } from '#kernel/altered.ts';
import { pause } from '#kernel/pause.ts';
import { openAlerts } from '#queries/admin/alerts/index.ts';
import { deliveryFigures } from '#queries/federation/index.ts';
import { lagsBehind } from '#storage/eventlog/lag.ts';
import { damageText } from '#storage/postgres/damaged-events.ts';
import { assertFollowing } from '#storage/postgres/projector/following.ts';
import { assertNoDeadLetters, reactorStates } from '#storage/reactor-runtime/store.ts';
import type { App } from './app.ts';
import { assertClockRight } from './clock-finding.ts';

/** The figures of `/metrics`: of this process, the log, the database and its read models. */
export const metricsOf = (app: App, streams?: NonNullable<MetricsSources['streams']>): Metrics =>
  createMetrics({
    ...(streams ? { streams } : {}),
    projections: () => app.checkpoints.groups(),
    reactors: () => reactorStates(app.db),
    alerts: () => openAlerts(app.db),
    deliveries: { tries: app.federation.deliveries.tries, waiting: () => deliveryFigures(app.db) },
    lags: (positions) => lagsBehind(app.log, positions, Date.now()),
    history: () => app.transparencyLog.assertUnaltered(),
    verification: () => app.transparencyLog.verification(),
  });

/** The checks of `/health`. */
export const healthOf = ({
  db,
  log,
  checkpoints,
  transparencyLog,
  idClock,
  damagedEvents,
  redis,
  config,
}: App): HealthOptions => ({
  checks: {
    database: () => db.query('select 1'),
    log: () => log.head(),
    projections: () => assertFollowing(checkpoints, log, OF_VIEWERS),
    history: transparencyLogCheck(transparencyLog),
  },
  halted: async () => (await checkpoints.groups()).flatMap((group) => group.halted).toSorted(),
  needs: { projections: ['log', 'database'], history: ['log', 'database'], log: ['database'] },
  warnings: {
    reactors: () => assertNoDeadLetters(db),
    disk: () => assertRoom(config.dataDir),
    clock: () => assertClockRight({ db, idClock }),
    damaged_events: async () => refuse(damageText(await damagedEvents.list(1))),
    // Other processes write no such file.
    ...(config.role === 'all' || config.role === 'reactor'
      ? { checkpoint_file: async () => refuse(await transparencyLog.fileProblem()) }
      : {}),
    // A full Redis, and a replica, still answer reads.
    ...(redis ? { redis: () => redis.set('health', '', 'EX', 60) } : {}),
  },
});

/** Milliseconds to wait for a check; after them the previous result counts. */
const PATIENCE = 1_000;

/**
 * Returns a check that fails only when the log contradicts its newest checkpoint: a slow or interrupted check
 * proves nothing. A check continues in the background; its result counts from then on.
 */
export function transparencyLogCheck(
  history: Pick<App['transparencyLog'], 'assertUnaltered'>,
): () => Promise<void> {
  let altered: Error | undefined;
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      await history.assertUnaltered();
      altered = undefined;
    } catch (error) {
      if (isAltered(error)) altered = error;
    }
  };
  return async () => {
    looking ??= look().finally(() => (looking = undefined));
    const waited = new AbortController();
    await Promise.race([looking, pause(PATIENCE, waited.signal)]);
    waited.abort();
    if (altered) throw altered;
  };
}

/** @throws Error of a problem */
function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new Error(problem);
}

/** @throws Error when the disk of a folder is nearly full */
async function assertRoom(folder: string): Promise<void> {
  const room = await roomIn(folder);
  if (room && room.free < ENOUGH_ROOM) throw new Error(`There is little room left in ${folder}`);
}
