import type { Logger } from 'pino';
import { invalid, RookeryError } from '#kernel/errors.ts';
import type { PastBuilds } from '#kernel/services/past-builds.ts';
import { projections } from '#projections/index.ts';
import { dropAsOf, listAsOf } from '#storage/postgres/rebuild/as-of.ts';
import { buildPast } from './as-of/build.ts';
import { pointAt, readWhen } from './as-of/when.ts';
import type { Stores } from './stores.ts';

/** Builds the past in this process, one point at a time. */
export function createPastBuilds(
  { db, projectionDb, log }: Pick<Stores, 'db' | 'projectionDb' | 'log'>,
  logger: Logger,
): PastBuilds {
  let running: { position: bigint; progress: number } | undefined;
  return {
    list: async () =>
      (await listAsOf(db, projections)).map(({ schema: _schema, position, ...build }) => ({
        ...build,
        position: String(position),
        progress: running?.position === position ? running.progress : null,
      })),
    begin: async (text) => {
      const when = readWhen(text);
      if (!when)
        throw invalid('When must be a position such as 120, a day, or a time such as 2026-11-22 10:00 (UTC)');
      const point = await pointAt(log, when);
      const position = String(point.position);
      if (running?.position === point.position) return { position, isNew: false };
      if (running)
        throw new RookeryError('conflict', `Position ${running.position} is being built; wait for it`);
      const run = { position: point.position, progress: 0 };
      running = run;
      void buildPast({
        log,
        db: projectionDb,
        point,
        onProgress: (progress) => (run.progress = Number(progress.position) / Number(point.position)),
      })
        .catch((error: unknown) => logger.error({ err: error, position }, 'build of the past failed'))
        .finally(() => (running = undefined));
      return { position, isNew: true };
    },
    drop: (position) => dropAsOf(projectionDb, BigInt(position)),
  };
}
