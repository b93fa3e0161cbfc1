import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { type App, type AppOptions, openApp } from '#app/app.ts';
import { closeNewServer } from '#app/first-start.ts';
import { type Config, loadConfig } from '#config/config.ts';
import { Context, type RequestContext } from '#kernel/context.ts';
import { OPERATOR } from '#kernel/event.ts';
import { NEVER_WAITS } from '#kernel/own-writes.ts';
import { projections } from '#projections/index.ts';
import type { Failure } from '#storage/postgres/projector/failures.ts';

/** Everything that a command of the command line may use. */
export interface Operator {
  app: App;
  /**
   * Writes in the operator's name. Its reads wait for nothing, so a command calls `catchUp` before it reads.
   */
  ctx: RequestContext;
  /** Resolves when the read models contain every event that is in the log now. */
  catchUp: () => Promise<void>;
}

/**
 * Opens the database and the log with the server's own settings, with or without a running server, and closes
 * them afterwards.
 */
export async function asOperator(
  work: (operator: Operator) => Promise<void>,
  options: AppOptions = {},
  config: Config = loadConfig(),
): Promise<void> {
  // A failure is thrown and printed on one line; the log is for debugging.
  const level = ['trace', 'debug'].includes(config.logLevel) ? config.logLevel : 'fatal';
  const logger = pino({ level }, pino.destination({ dest: 2, sync: true }));
  const app = await openApp(config, logger, options);
  try {
    if (!options.onlyLooks && !options.anyLog) await closeNewServer(app);
    const ctx = new Context(
      { ...app.contextDependencies, consistency: NEVER_WAITS },
      { requestId: randomUUID(), ip: '', locale: undefined, rule: OPERATOR },
    );
    await work({ app, ctx, catchUp: () => untilCaughtUp(app) });
  } finally {
    await app.close();
  }
}

/** Milliseconds that a running server gets to show that it projects, before this process does. */
const SERVER_PATIENCE = 500;
/** Milliseconds between checks for a halted projection. */
const LOOK_EVERY = 1_000;

async function untilCaughtUp(app: App): Promise<void> {
  const head = await app.log.head();
  const groups = [...new Set(projections.map(({ group }) => group))];
  const reached = async (timeout: number): Promise<boolean> => {
    await app.checkpoints.refresh();
    const all = await Promise.all(groups.map(async (group) => app.checkpoints.reached(group, head, timeout)));
    return all.every(Boolean);
  };
  if (await reached(SERVER_PATIENCE)) return;
  const failure = await project(app, () => reached(LOOK_EVERY));
  if (!failure) return;
  const { projection, position, error } = failure;
  if (failure.event_id === '') throw new Error(`The log cannot be read on behind ${position}: ${error}`);
  throw new Error(`Stored, but the read model ${projection} cannot take it in: ${error}`);
}

/**
 * Runs the projector in this process until `done`.
 * @returns the failure that stops a group, or with `alsoHalted` a single read model, if any
 */
export async function project(
  app: App,
  done: () => Promise<boolean>,
  { alsoHalted = false } = {},
): Promise<Failure | undefined> {
  const projector = await app.startProjector();
  try {
    while (!(await done())) {
      const [failure] = [...projector.failures(), ...(alsoHalted ? projector.halted() : [])];
      if (failure) return failure;
    }
    return undefined;
  } finally {
    await projector.stop();
  }
}

/**
 * Does work that waits for the read models, and keeps them up to date meanwhile, with or without a running
 * server.
 */
export async function projecting<T>({ app }: Operator, work: () => Promise<T>): Promise<T> {
  const projector = await app.startProjector();
  try {
    return await work();
  } finally {
    await projector.stop();
  }
}
