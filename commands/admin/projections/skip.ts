import { useCase } from '#commands/use-case.ts';
import { type ProjectionEvent, type ProjectionEventSkipped, projectionStream } from '#events/projections.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import type { EventOf } from '#kernel/event.ts';
import type { ReadModel, ReadModelFailure } from '#kernel/services/read-models.ts';

/** The positions that a read model leaves out. */
type Skipped = ReadonlySet<string>;
type Skip = EventOf<typeof ProjectionEventSkipped>['data'];

export const skipped: Decider<Skipped, ProjectionEvent> = {
  initialState: new Set(),
  evolve(state, { type, data: { position } }) {
    if (type === 'ProjectionEventSkipped') return new Set([...state, position]);
    return new Set([...state].filter((each) => each !== position));
  },
};

export const decideSkip = (state: Skipped, skip: Skip): ProjectionEvent[] =>
  state.has(skip.position) ? [] : [{ type: 'ProjectionEventSkipped', data: skip }];

export const decideUnskip = (state: Skipped, which: Which): ProjectionEvent[] =>
  state.has(which.position) ? [{ type: 'ProjectionEventUnskipped', data: which }] : [];

interface Which {
  name: string;
  position: string;
}

const stream = ({ name }: Which): string => projectionStream(name);
const recordSkip = useCase({
  stream: (skip: Skip) => stream(skip),
  decider: skipped,
  decide: (state, skip) => decideSkip(state, skip),
});
const recordUnskip = useCase({
  stream: (which: Which) => stream(which),
  decider: skipped,
  decide: (state, which) => decideUnskip(state, which),
});

/**
 * Lets a read model go on without the event at which it stands, also when it is rebuilt. An event that it lacks until
 * its next rebuild is left out of that one as well.
 * @throws RookeryError `not_found` for an unknown read model, `invalid` without a reason or for another event
 */
export async function skipEvent(
  ctx: CommandContext,
  { name, position, reason }: Which & { reason: string },
): Promise<void> {
  const { readModels } = ctx.services;
  if (reason.trim() === '') throw invalid("Validation failed: Reason can't be blank");
  const model = await readModels.show(name);
  const failure = rejectedBy(model);
  // A repeated request.
  if (!failure && model.skipped.some((each) => each.position === position)) return;
  const event = [failure, ...model.lacks].find((each) => each?.position === position);
  if (!event) throw invalid(standsAt(name, failure));
  const { event_id, event_type } = event;
  const skip = { position, event_id, event_type, reason };
  await recordSkip(ctx, { name, ...skip });
  // Repeating the command stores it after a crash between the two.
  await readModels.storeSkip(name, skip);
  await readModels.retry();
}

/** Returns the event that halted a read model; undefined without one, or while the log cannot be read. */
const rejectedBy = ({ failure }: ReadModel): ReadModelFailure | undefined =>
  failure === null || failure.event_id === '' ? undefined : failure;

function standsAt(name: string, failure: ReadModelFailure | undefined): string {
  if (!failure) return `The read model ${name} stands at no event: it skips only the event that halts it`;
  const { event_type, position } = failure;
  return `The read model ${name} stands at the event ${event_type} at ${position}: it skips only that one`;
}

/**
 * Takes the event again with the next rebuild.
 * @throws RookeryError `not_found` when the event is not left out
 */
export async function unskipEvent(ctx: CommandContext, which: Which): Promise<void> {
  const { readModels } = ctx.services;
  await readModels.show(which.name);
  await recordUnskip(ctx, which);
  if (!(await readModels.removeSkip(which.name, which.position)))
    throw new RookeryError(
      'not_found',
      `The read model ${which.name} leaves out no event at ${which.position}`,
    );
}
