import { useCase } from '#commands/use-case.ts';
import { type OperationEvent, operationStream } from '#events/operation.ts';
import type { CommandContext, RequestContext } from '#kernel/context.ts';
import { invalid, isRookeryError, RookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { pause } from '#kernel/pause.ts';
import type { Digests, ProjectionRun, ReadModel, RunEvent, RunKind } from '#kernel/services/read-models.ts';
import { noted } from '../operation.ts';

/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 250;

interface Run {
  id: Id;
  name: string;
  kind: RunKind;
}

/** The log knows nothing of a build, or that it was started, or cancelled. */
type Stage = 'none' | 'started' | 'cancelled';

const run = {
  initialState: 'none' as Stage,
  evolve: (_: Stage, { type }: OperationEvent): Stage =>
    type === 'ProjectionRunCancelled' ? 'cancelled' : 'started',
};

export const decideStart = (stage: Stage, { id, name, kind }: Run): OperationEvent[] =>
  stage === 'none' ? [{ type: 'ProjectionRunStarted', data: { id, name, kind } }] : [];

export const decideCancel = (stage: Stage, { id, name, kind }: Run): OperationEvent[] =>
  stage === 'cancelled' ? [] : [{ type: 'ProjectionRunCancelled', data: { id, name, kind } }];

/** Records the start of a build, also of one that the command line runs itself. */
export const recordStart = useCase({
  stream: ({ id }: Run) => operationStream('run', id),
  decider: run,
  decide: decideStart,
});
const recordCancel = useCase({
  stream: ({ id }: Run) => operationStream('run', id),
  decider: run,
  decide: decideCancel,
});

/**
 * Starts a build that goes on by itself.
 * @throws RookeryError `not_found` for an unknown read model, `conflict` while another build runs
 */
export async function startRun(ctx: CommandContext, run: Run): Promise<void> {
  const { readModels } = ctx.services;
  await readModels.startRun(run);
  await recordStart(ctx, run).catch(async (error: unknown) => {
    await readModels.cancelRun(run.id);
    throw error;
  });
}

/**
 * Reports the progress of a build until it ends, and cancels the build when the reader leaves before that.
 * @throws RookeryError `conflict` when the build fails or is cancelled
 */
export async function* followRun(ctx: RequestContext, id: Id): AsyncGenerator<RunEvent> {
  const { readModels } = ctx.services;
  let isOver = false;
  try {
    while (!isOver) {
      const run = await readModels.run(id);
      const { position, head, events } = run;
      isOver = run.state !== 'running';
      yield { event: 'progress', data: { position, head, events } };
      if (isOver) yield { event: 'done', data: { differences: differencesOf(run) } };
      else await pause(REPORT_EVERY);
    }
  } finally {
    if (!isOver) await cancelUnlessEnded(ctx.followUp(), id);
  }
}

function differencesOf({ state, error, digests }: ProjectionRun): Digests[] {
  if (state === 'cancelled') throw new RookeryError('conflict', 'The build was cancelled');
  if (state === 'interrupted') {
    throw new RookeryError('conflict', 'The process of the build ended; start the build again');
  }
  if (state === 'failed') throw new RookeryError('conflict', error ?? 'The build failed');
  return (digests ?? []).filter(({ live, rebuilt }) => live !== rebuilt);
}

async function cancelUnlessEnded(ctx: CommandContext, id: Id): Promise<void> {
  try {
    await cancelRun(ctx, id);
  } catch (error) {
    if (!isRookeryError(error)) throw error;
  }
}

/** @throws RookeryError `not_found`, `invalid` when it has ended */
export async function cancelRun(ctx: CommandContext, id: Id): Promise<void> {
  const { readModels } = ctx.services;
  const { name, kind, state } = await readModels.run(id);
  if (state !== 'running' || !(await readModels.cancelRun(id))) {
    throw invalid('Validation failed: This build has ended');
  }
  await recordCancel(ctx, { id, name, kind });
}

/**
 * Asks all processes to try the events that halted read models again; nothing while this one is not halted.
 * @throws RookeryError `not_found`
 */
export async function retryProjectionEvent(ctx: CommandContext, name: string): Promise<void> {
  const { readModels } = ctx.services;
  if (!isStanding(await readModels.show(name))) return;
  await recordRetry(ctx, name);
  await readModels.retry();
}

/** Tells whether a read model waits for a retry. */
export const isStanding = ({ state }: ReadModel): boolean => state === 'halted' || state === 'stopped';

/** Records that the event which halted a read model is tried again. */
export const recordRetry = (ctx: CommandContext, name: string): Promise<void> =>
  noted(ctx, operationStream('projection', name), { type: 'ProjectionRetried', data: { name } });
