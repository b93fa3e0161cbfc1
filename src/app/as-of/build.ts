import { type Db, statement } from '#kernel/read.ts';
import { projections } from '#projections/index.ts';
import { RANKINGS } from '#queries/rankings/index.ts';
import type { EventLog } from '#storage/eventlog/port.ts';
import type { Database } from '#storage/postgres/db.ts';
import { type AsOfBuild, buildAsOf } from '#storage/postgres/rebuild/as-of.ts';
import type { Progress } from '#storage/postgres/rebuild/build.ts';
import type { Point } from './when.ts';

export interface BuildPastOptions {
  log: EventLog;
  /** For rebuilds: without a statement timeout. */
  db: Database;
  point: Pick<Point, 'position' | 'happenedAt'>;
  onProgress?: (progress: Progress) => void;
}

/**
 * Builds all read models as of a position of the log, beside the live ones, unless they exist.
 * @throws RookeryError `conflict` when an outdated build of that position is being served
 */
export function buildPast({ log, db, point, onProgress }: BuildPastOptions): Promise<AsOfBuild> {
  const { position, happenedAt: moment } = point;
  return buildAsOf({
    projections,
    log,
    db,
    position,
    moment,
    onProgress,
    finish: (built) => rank(built, moment),
  });
}

const KEEP = statement(
  'as_of_rankings_keep',
  `insert into rankings (kind, place, key)
   select $1, n.place, n.key from unnest($2::text[]) with ordinality as n (key, place)`,
);

/** Ranks what was popular then, which a timer does in the present. Its table shadows the present one. */
async function rank(db: Db, moment: string): Promise<void> {
  await db.query(
    'create table rankings (kind text, place integer, key text collate "C" not null, primary key (kind, place))',
  );
  for (const [kind, count] of Object.entries(RANKINGS)) {
    await db.query(KEEP, [kind, await count(db, moment)]);
  }
}
