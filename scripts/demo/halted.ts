import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { App } from '#app/app.ts';
import { BATCH_DELAY_MS } from '#app/roles.ts';
import { VERSION } from '#config/version.ts';
import type { Projection } from '#kernel/projection.ts';
import { ReadModelHalted } from '#kernel/read-model-halted.ts';
import { projections } from '#projections/index.ts';
import { notedLog } from '#storage/eventlog/identity.ts';
import { type Projector, startProjector } from '#storage/postgres/projector/projector.ts';
import { allSkips } from '#storage/postgres/projector/skips.ts';
import { actingOn } from './act.ts';

/** Nothing but the pages of annual reports reads it. */
export const HALTED = 'annual-reports';
const EVENT = 'AnnualReportGenerated';

/**
 * Follows the log as the server's own projector does, except that one handler is that of a faulty release: it rejects the reports of
 * one account. No command can halt a read model, because only a handler that fails does. The log, the events and the tables are as
 * they always are, so `rookery projections retry`, which runs the handlers as they are, mends it like after an update.
 */
export const startFaultyProjector = (app: App, accountId: string, logger: Logger): Promise<Projector> =>
  startProjector({
    projections: projections.map((each) => (each.name === HALTED ? withFault(each, accountId) : each)),
    log: notedLog(app.log, app.store, app.db),
    db: app.projectionDb,
    checkpoints: app.checkpoints,
    notifications: app.notifications,
    program: VERSION,
    batchDelayMs: Object.fromEntries(projections.map(({ group }) => [group, BATCH_DELAY_MS])),
    onFailure: ({ projection }) => logger.debug({ projection }, 'halted on purpose'),
    onError: (error) => logger.error({ err: error }, 'projection runner failed: trying again'),
  });

function withFault(projection: Projection, accountId: string): Projection {
  const handlers = projection.handlers.map(({ type, handler }) => ({
    type,
    handler: {
      ...handler,
      apply: async (...args: Parameters<typeof handler.apply>) => {
        const [events] = args;
        const isMeant = events.some(({ data }) => (data as { account_id?: string }).account_id === accountId);
        if (type === EVENT && isMeant) throw new Error('Rookery demo: this release cannot store the report');
        await handler.apply(...args);
      },
    },
  }));
  return { ...projection, handlers };
}

/** Milliseconds between two looks, and how many there are. */
const [LOOK_EVERY, LOOKS] = [100, 200];

/**
 * Asks for the annual report of a user, and waits until it has halted the read model.
 * @returns false when the report is there already or its event was skipped, in a folder whose read model was mended
 * @throws Error when nothing is halted
 */
export async function haltByReport(app: App, token: string, projector: Projector): Promise<boolean> {
  const year = String(new Date().getUTCFullYear());
  const ask = (route: string): Promise<{ state?: string }> =>
    actingOn(app).call(route, { token, params: { year } });
  if ((await allSkips(app.db)).some(({ name }) => name === HALTED)) return false;
  try {
    if ((await ask('GET /api/v1/annual_reports/:year/state')).state === 'available') return false;
    await ask('POST /api/v1/annual_reports/:year/generate');
  } catch (error) {
    // It is halted since an earlier start.
    if (!(error instanceof ReadModelHalted)) throw error;
  }
  for (let look = 0; look < LOOKS; look += 1) {
    if (projector.halted().some(({ projection }) => projection === HALTED)) return true;
    await sleep(LOOK_EVERY);
  }
  throw new Error(`The read model ${HALTED} was not halted`);
}
