import pino from 'pino';
import { openApp } from '#app/app.ts';
import { loadConfig } from '#config/config.ts';
import { projections } from '#projections/index.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded.ts';
import { build } from '#storage/postgres/rebuild/build.ts';
import { rebuild } from '#storage/postgres/rebuild/rebuild.ts';
import { watchGroupLocks } from '../test/support/group-locks.ts';
import { copySeconds } from './copy-floor.ts';
import { MixedLog } from './mixed-log.ts';
import { answerJobs } from './processes.ts';

const SCHEMA = 'bench_rebuild';

export interface MixJob {
  /** The log grows to this number of events. */
  events: number;
}

export interface BehindJob extends MixJob {
  /** The group `search` has not taken so many of the newest events. */
  behind: number;
}

export interface BehindRate {
  perSecond: number;
  /** The longest time that a group was locked, in milliseconds. */
  longestLock: number;
}

export interface MixRate {
  perSecond: number;
  /** Events a second of a COPY of the same rows with the same indexes. */
  floor: number;
  /** Bytes of WAL for each event. */
  wal: number;
  /** The most memory of this process during the build, in MB. */
  megabytes: number;
}

/* A process with a database of its own in `DATA_DIR`. It appends a log and rebuilds all read models, as often as it is asked. */
const logger = pino({ level: 'warn' }, pino.destination(2));
const config = loadConfig();
const { url } = await startEmbeddedPostgres({ dataDir: config.dataDir, log: logger });
const app = await openApp(config, logger);
const mixed = new MixedLog(app);
const { log, projectionDb: db } = app;

answerJobs(async (job: MixJob | BehindJob): Promise<MixRate | BehindRate> => {
  await mixed.growTo(job.events);
  return 'behind' in job ? replaceBehind(job) : buildOnly();
});

/** Fills new tables beside the live ones. */
async function buildOnly(): Promise<MixRate> {
  const until = await log.head();
  const before = await walPosition();
  let megabytes = 0;
  const watching = setInterval(() => (megabytes = Math.max(megabytes, process.memoryUsage.rss() / 1e6)), 50);
  let read = 0;
  const started = performance.now();
  await build(SCHEMA, { projections, log, db, until, onProgress: (progress) => (read = progress.events) });
  const seconds = (performance.now() - started) / 1_000;
  clearInterval(watching);
  const wal = Number((await walPosition()) - before) / read;
  const floor = read / (await copySeconds(url, SCHEMA));
  await db.query(`drop schema ${SCHEMA} cascade`);
  return { perSecond: read / seconds, floor, wal, megabytes };
}

/** Replaces the live tables while one group is behind the others. */
async function replaceBehind({ behind }: BehindJob): Promise<BehindRate> {
  const head = await log.head();
  await db.query(
    `update durable.projections set position = $1::bigint - case "group" when 'search' then $2::bigint else 0 end`,
    [String(head), behind],
  );
  const { db: watched, held } = watchGroupLocks(db);
  const started = performance.now();
  await rebuild({ projections, log, db: watched });
  const seconds = (performance.now() - started) / 1_000;
  return { perSecond: Number(head) / seconds, longestLock: Math.max(...held) };
}

async function walPosition(): Promise<bigint> {
  const [row] = await db.query<{ bytes: string }>(
    `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint as bytes`,
  );
  return BigInt(row?.bytes ?? 0);
}
