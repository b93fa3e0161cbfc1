import { operationStream, type OperationEvent } from '../../../src/events/operation.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import { invalid } from '../../../src/kernel/errors.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import type { RunKind } from '../../../src/kernel/services/read-models.ts';
import { noted } from '../operation.ts';
import { useCase } from '../../use-case.ts';

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

const recordStart = useCase({
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

/** @throws RookeryError `not_found`, `invalid` when it has ended */
export async function cancelRun(ctx: CommandContext, id: Id): Promise<void> {
  const { readModels } = ctx.services;
  const { name, kind, state } = await readModels.run(id);
  if (state !== 'running' || !(await readModels.cancelRun(id))) {
    throw invalid('Validation failed: This build has ended');
  }
  await recordCancel(ctx, { id, name, kind });
}

/** Asks all processes to try the events that halted read models again. @throws RookeryError `not_found` */
export async function retryProjectionEvent(ctx: CommandContext, name: string): Promise<void> {
  await ctx.services.readModels.show(name);
  await noted(ctx, operationStream('projection', name), { type: 'ProjectionRetried', data: { name } });
  await ctx.services.readModels.retry();
}
