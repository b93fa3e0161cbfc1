import type { Logger } from 'pino';
import type { JobDefinition, JobHandler } from '#adapters/jobs/handler.ts';
import type { JobService } from '#adapters/jobs/jobs.ts';
import { FETCH_COLLECTION, REFRESH_PROFILE, SYNCHRONIZE_FOLLOWERS } from '#commands/federation/index.ts';
import type { Config } from '#config/config.ts';
import { VERSION } from '#config/version.ts';
import {
  FEATURE_AUTHORIZATION_JOB,
  type Federation,
  INBOX_JOB,
  QUOTE_AUTHORIZATION_JOB,
} from '#interfaces/federation/index.ts';
import { closeAll } from '#kernel/close-all.ts';
import { type CommandContext, Context, type ContextDependencies } from '#kernel/context.ts';
import { HOME, MAIN, NOTIFICATIONS, SEARCH } from '#kernel/projection.ts';
import type { ErasureList } from '#operations/backup/index.ts';
import { projections } from '#projections/index.ts';
import { jobHandlers, reactors, timers } from '#reactors/index.ts';
import { deriveId } from '#storage/eventlog/execute.ts';
import { notedLog } from '#storage/eventlog/identity.ts';
import type { Checkpoints } from '#storage/postgres/projector/checkpoints.ts';
import { type Projector, startProjector } from '#storage/postgres/projector/projector.ts';
import { consistencyFrom } from '#storage/postgres/projector/read-your-writes.ts';
import type { ContextFor } from '#storage/reactor-runtime/attempt.ts';
import { type RunningReactors, startReactors } from '#storage/reactor-runtime/start.ts';
import { blameSetting } from './blame-setting.ts';
import type { Stores } from './stores.ts';

/** Milliseconds that read models may lag behind a stream of events while no reader waits for them. */
export const BATCH_DELAY_MS = 40;
/** The same for search: posts are indexed together a few times a second. */
const SEARCH_LINGER = 250;

/** The work of a process besides serving. */
export interface Roles {
  /** Follows the log into the read models in this process. */
  startProjector(): Promise<Projector>;
  /** Runs the reactors, timers and jobs in this process, or takes over from the one that does. */
  startReactors(): Promise<RunningReactors>;
  /** Does the jobs of one kind in this process, besides other processes, until the app is closed. */
  startJobsOf(name: string): Promise<void>;
}

export interface RolesOptions extends Pick<
  Stores,
  'url' | 'db' | 'projectionDb' | 'notifications' | 'store' | 'log' | 'transparencyLog'
> {
  config: Config;
  logger: Logger;
  /** No other process serves, projects or reacts. */
  alone: boolean;
  erasures: ErasureList;
  checkpoints: Checkpoints;
  jobs: JobService;
  federation: Federation;
  contextDependencies: ContextDependencies;
  systemContext: (rule: string) => CommandContext;
}

export const rolesOf = (options: RolesOptions): Roles => ({
  startProjector: () => project(options),
  startReactors: () => react(options),
  startJobsOf: (name) => startJobsOf(name, options),
});

const project = (options: RolesOptions): Promise<Projector> => {
  const { log, store, db, projectionDb, notifications, checkpoints, alone, logger } = options;
  return startProjector({
    projections,
    log: notedLog(log, store, db),
    db: projectionDb,
    checkpoints,
    notifications,
    program: VERSION,
    // A reader in another process does not end a pause, and most wait for MAIN.
    batchDelayMs: {
      [MAIN]: alone ? BATCH_DELAY_MS : 0,
      [HOME]: BATCH_DELAY_MS,
      [NOTIFICATIONS]: BATCH_DELAY_MS,
      [SEARCH]: SEARCH_LINGER,
    },
    alwaysDelay: [SEARCH],
    onFailure: (failure) => logger.error({ failure }, 'projection halted: handler failed on event'),
    onError: (error) => logger.error({ err: error }, 'projection runner failed: trying again'),
  });
};

async function react(options: RolesOptions): Promise<RunningReactors> {
  const { db, erasures, federation, jobs, transparencyLog, logger } = options;
  await blameSetting('ERASURE_LIST', erasures.prepare());
  await erasures.complete(db);
  await startJobs(options);
  await federation.deliveries.start();
  await federation.inbox.start();
  const running = await runReactors(options);
  return {
    ...running,
    stop: async () => {
      transparencyLog.interrupt();
      const recordLast = (): Promise<unknown> =>
        transparencyLog
          .recordLast()
          .catch((error: unknown) => logger.warn({ err: error }, 'last checkpoint not made'));
      await closeAll([
        () => jobs.close(),
        recordLast,
        () => federation.deliveries.stop(),
        () => federation.inbox.stop(),
        () => running.stop(),
      ]);
    },
  };
}

async function startJobsOf(kind: string, options: RolesOptions): Promise<void> {
  for (const { name, work } of jobHandlers) {
    if (name === kind) options.jobs.work(name, withContext(options, name, work));
  }
  await options.jobs.start();
}

/** Ends a job when the read models hold what it wrote, since the next job may read that in another context. */
const withContext =
  ({ systemContext }: RolesOptions, name: string, work: JobDefinition['work']): JobHandler =>
  async (data, run) => {
    const ctx = systemContext(name);
    await work(ctx, data, run);
    await ctx.waitForReadModels();
  };

async function startJobs(options: RolesOptions): Promise<void> {
  const { jobs, federation } = options;
  for (const { name, work, ...places } of jobHandlers) {
    jobs.work(name, withContext(options, name, work), places);
  }
  jobs.work(INBOX_JOB, (data) => federation.inbox.adopt(data));
  jobs.work(QUOTE_AUTHORIZATION_JOB, federation.checkQuoteAuthorization, { outside: 64 });
  // Jobs keep the name that they were stored under.
  jobs.work('quote-stamp', federation.checkQuoteAuthorization, { outside: 64 });
  jobs.work(FEATURE_AUTHORIZATION_JOB, federation.checkFeatureAuthorization, { outside: 64 });
  jobs.work(FETCH_COLLECTION, federation.fetchCollection, { running: 2, outside: 64 });
  jobs.work(REFRESH_PROFILE, federation.refreshProfile, { running: 2, outside: 64 });
  jobs.work(SYNCHRONIZE_FOLLOWERS, federation.synchronizeFollowers, { outside: 64 });
  await jobs.start();
}

function runReactors(options: RolesOptions): Promise<RunningReactors> {
  const { url, log, db, projectionDb, checkpoints, config, contextDependencies, logger } = options;
  return startReactors({
    reactors,
    timers,
    url,
    log,
    db,
    checkpointDb: projectionDb,
    contextFor: contextsOf(options),
    services: contextDependencies.services,
    reached: async (groups, position) => {
      const all = groups.map(async (group) =>
        checkpoints.reached(group, position, config.readModelTimeoutMs),
      );
      return (await Promise.all(all)).every(Boolean);
    },
    onError: (error) => logger.error({ err: error }, 'reactor or timer failed: trying again'),
    onDeadLetter: (reactor, { id, type }, error) =>
      logger.error({ err: error, reactor, event: id, type }, 'reactor failed: event dead-lettered'),
  });
}

/** Returns contexts for reactions and timers. */
const contextsOf =
  ({ contextDependencies, checkpoints, config }: RolesOptions): ContextFor =>
  ({ rule, cause, correlationId, causationId, position, reads }) => {
    const commandId = deriveId(`reaction/${rule}/${cause}`);
    return new Context(
      {
        ...contextDependencies,
        consistency: consistencyFrom(checkpoints, config.readModelTimeoutMs, position),
      },
      {
        requestId: correlationId ?? commandId,
        ip: '',
        locale: undefined,
        rule,
        commandId,
        causationId,
        reads,
      },
    );
  };
