import type { Notifications } from '#kernel/listening.ts';
import type { Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type Database, READ_MODELS } from '../db.ts';
import { LOCKS } from '../locks.ts';
import type { Progress } from '../rebuild/build.ts';
import { neededBuilds, type OnOtherTables } from '../rebuild/needed-builds.ts';
import { addRates, SAMPLE_EVERY } from '../rebuild/projection-rates.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import { holdLock } from '../transaction-lock.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { EventSource } from './event-source.ts';
import type { Failure } from './failures.ts';
import { GroupRunner } from './group-runner.ts';

export interface ProjectorOptions {
  projections: readonly Projection[];
  log: EventSource;
  /** With synchronous_commit off. */
  db: Database;
  checkpoints: Checkpoints;
  onFailure: (failure: Failure) => void;
  onError: (error: unknown) => void;
  /** Per group, see `GroupRunnerOptions`. */
  batchDelayMs?: Readonly<Record<string, number>>;
  /** Groups that also wait after a single event. */
  alwaysDelay?: readonly string[];
  onBuild?: (names: readonly string[], progress: Progress) => void;
  /** Called before read models of this version are built because their tables are not those of this program. */
  onOtherTables?: OnOtherTables;
  /** The version of the program; see `BuildOptions`. */
  program: string;
  /** Tells of changes of the read models, and asks halted ones to retry. */
  notifications?: Notifications;
}

/** The running projections of this process. */
export interface Projector {
  /** The groups that cannot go on. */
  failures(): Failure[];
  /** The read models that their groups went on without. */
  halted(): Failure[];
  stop(): Promise<void>;
}

/** Says that a read model was halted or goes on, or with the payload `retry` that halted ones shall try again. */
export const PROJECTIONS_CHANNEL = 'rookery_projections';
const RETRY = 'retry';
const CHANGED = statement('projections_changed', `notify ${PROJECTIONS_CHANNEL}`);

/** Asks the projectors of all processes to retry the events that halted them. */
export async function askProjectorsToRetry(db: Db): Promise<void> {
  await db.query(`notify ${PROJECTIONS_CHANNEL}, '${RETRY}'`);
}

/**
 * Builds read models that are missing or of an older version, then follows the log with one runner per group.
 */
export async function startProjector(options: ProjectorOptions): Promise<Projector> {
  await buildMissing(options);
  const groups = [...new Set(options.projections.map(({ group }) => group))];
  const runners = groups.map(
    (group) =>
      new GroupRunner({
        ...options,
        group,
        batchDelayMs: options.batchDelayMs?.[group] ?? 0,
        alwaysDelay: options.alwaysDelay?.includes(group) ?? false,
        onMembers: () => void options.db.query(CHANGED).catch(options.onError),
        projections: options.projections.filter((projection) => projection.group === group),
      }),
  );
  await options.notifications?.subscribe({
    channel: PROJECTIONS_CHANNEL,
    onNotification: (payload) =>
      runners.forEach((runner) => (payload === RETRY ? runner.retry() : runner.reread())),
    // The database may have lost the last commits in a crash, of which a runner without news hears nothing.
    onConnected: () => runners.forEach((runner) => runner.retry()),
  });
  for (const runner of runners) runner.start();
  const sampling = setInterval(() => void sample(runners, options).catch(options.onError), SAMPLE_EVERY);
  return {
    failures: () => runners.flatMap(({ failure }) => failure ?? []),
    halted: () => runners.flatMap(({ halted }) => halted),
    stop: async () => {
      clearInterval(sampling);
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
}

/** Stores how many events each read model took, for the line on the page of operators. */
const sample = (runners: readonly GroupRunner[], { db }: Pick<ProjectorOptions, 'db'>): Promise<void> =>
  addRates(db, {
    seconds: SAMPLE_EVERY / 1_000,
    events: Object.fromEntries(runners.flatMap((runner) => Object.entries(runner.sample()))),
  });

/** Builds projections whose version has no tables yet, or other ones, beside the live ones, and swaps them in. */
export async function buildMissing(
  options: Pick<ProjectorOptions, 'projections' | 'log' | 'db' | 'onBuild' | 'onOtherTables' | 'program'> & {
    /** Stops the build; the next start continues. */
    signal?: AbortSignal | undefined;
  },
): Promise<void> {
  await options.db.transaction(async (lock) => {
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await holdLock(lock, LOCKS.readModels, options.signal);
    await options.db.query(`create schema if not exists ${READ_MODELS}`);
    const missing = await neededBuilds(options.db, options.projections, options.onOtherTables);
    if (missing.length === 0) return;
    const names = missing.map(({ name }) => name);
    await rebuild({
      projections: missing,
      log: options.log,
      db: options.db,
      onProgress: (progress) => options.onBuild?.(names, progress),
      program: options.program,
      signal: options.signal,
    });
  });
}
