import { setTimeout as sleep } from 'node:timers/promises';
import { isStanding, recordRetry, skipEvent, unskipEvent } from '#commands/admin/projections/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { askProjectorsToRetry } from '#storage/postgres/projector/projector.ts';
import { type Operator, project } from './operator.ts';
import { confirm } from './output.ts';
import { failureText } from './projection-states.ts';

/** Milliseconds. */
const LOOK_EVERY = 100;
/** Milliseconds that a first step may take. */
const PATIENCE = 30_000;

/**
 * Retries the events with this program, which may be a repaired one; the running servers continue after them.
 * @throws RookeryError `not_found` when no read model is halted, `conflict` when one halts again
 */
export async function retry({ app, ctx }: Operator): Promise<void> {
  const { readModels } = app.contextDependencies.services;
  const before = (await readModels.list()).filter(isStanding);
  if (before.length === 0) throw new RookeryError('not_found', 'No read model is halted');
  for (const { name } of before) await recordRetry(ctx, name);
  const end = performance.now() + PATIENCE;
  const failure = await project(
    app,
    async () => {
      if (performance.now() > end) {
        throw new RookeryError('conflict', 'Nothing has moved; see: rookery projections list');
      }
      await sleep(LOOK_EVERY);
      const now = new Map((await readModels.list()).map((model) => [model.name, model]));
      return before.every(({ name, position }) => {
        const model = now.get(name);
        return model?.state === 'following' && model.position !== position;
      });
    },
    { alsoHalted: true },
  );
  if (failure) throw new RookeryError('conflict', `${failure.projection} ${failureText(failure)}`);
  await askProjectorsToRetry(app.db);
  const names = before.map(({ name }) => name);
  confirm(`Going on: ${names.join(', ')}`, { projections: names });
}

/** The running servers take the read model on; without one, this process does. */
export async function skip(operator: Operator, { name, position, reason }: SkippedByOperator): Promise<void> {
  await skipEvent(operator.ctx, { name, position, reason });
  await operator.catchUp();
  confirm(
    `${name} leaves out the event at ${position}, until: rookery projections unskip ${name} ${position}`,
    { projection: name, position },
  );
}

export async function unskip(
  operator: Operator,
  { name, position }: Omit<SkippedByOperator, 'reason'>,
): Promise<void> {
  await unskipEvent(operator.ctx, { name, position });
  await operator.catchUp();
  confirm(`To take the event at ${position} again: rookery projections rebuild ${name}`, {
    projection: name,
    position,
  });
}

interface SkippedByOperator {
  name: string;
  position: string;
  reason: string;
}

/** @throws RookeryError `bad_request` */
export function positionOf(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new RookeryError('bad_request', `${text} is not a position of the log`);
  return text;
}
