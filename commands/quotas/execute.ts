import { isDeepStrictEqual } from 'node:util';
import type { QuotaItem, QuotaName } from '#events/quotas.ts';
import { KeyedMutex } from '#kernel/concurrency.ts';
import type { CommandContext, Executed } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import { conflict, isRookeryError } from '#kernel/errors.ts';
import type { DomainEvent } from '#kernel/event.ts';
import type { Id } from '#kernel/ids.ts';
import { claim, type QuotaUsage, release } from './claim.ts';

/**
 * A limit on the number of things of a kind that an owner may have. `Usage` is their state in the read
 * models.
 */
export interface Quota<State, Usage> extends QuotaUsage<Usage> {
  name: QuotaName;
  ownerId: Id;
  /** Returns the things that take more places after a change than before; mostly one, or none. Pure. */
  taken: (before: State, after: State) => QuotaItem[];
}

export interface Change<State, Event extends DomainEvent, Usage> {
  stream: string;
  decider: Decider<State, Event>;
  decide: (state: State) => readonly Event[];
  /** The stream carries a fresh id. */
  isNew?: boolean;
  /** As for `ctx.execute`. */
  step?: string;
  quota: Quota<State, Usage>;
}

/** Restarts after changes of the stream that make this change take more. */
const ATTEMPTS = 8;

/** Serializes changes of one owner, each of which must see the result of the one before. */
const streamMutex = new KeyedMutex();

/**
 * Executes like `ctx.execute`, within a quota on things with streams of their own. It first claims their
 * places in a stream of the owner, and holds the claim until the read models count them (`docs/decisions`). A
 * command refused for another reason claims nothing. A stop before the end leaves the claim, which counts for
 * a minute. Waits for the read models.
 * @throws RookeryError the decision's errors; `invalid` past the quota
 */
export async function executeWithinQuota<State, Event extends DomainEvent, Usage>(
  ctx: CommandContext,
  change: Change<State, Event, Usage>,
): Promise<Executed<State, Event>> {
  if (change.isNew) return attempts(ctx, change);
  const done = await streamMutex.acquire(change.stream);
  try {
    return await attempts(ctx, change);
  } finally {
    done();
  }
}

async function attempts<State, Event extends DomainEvent, Usage>(
  ctx: CommandContext,
  { stream, decider, decide, isNew = false, step = '', quota }: Change<State, Event, Usage>,
): Promise<Executed<State, Event>> {
  const takenBy = (state: State, events: readonly Event[]): QuotaItem[] =>
    quota.taken(state, events.reduce(decider.evolve, state));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = isNew ? decider.initialState : await ctx.load(stream, decider);
    const items = takenBy(before, decide(before));
    const claimed =
      items.length === 0
        ? undefined
        : await claim(ctx, { quota: quota.name, owner_id: quota.ownerId }, items, quota);
    const releaseClaim = async (): Promise<void> => {
      // An unreleased claim expires.
      if (claimed) await release(ctx, claimed).catch(() => undefined);
    };
    let covered = true;
    try {
      const done = await ctx.execute(
        stream,
        decider,
        (state) => {
          const events = decide(state);
          covered = takenBy(state, events).every((item) =>
            items.some((each) => isDeepStrictEqual(each, item)),
          );
          return covered ? events : [];
        },
        { isNew, step },
      );
      // If the read models lag, the claim counts in place of the missing rows.
      await ctx.waitForReadModels();
      if (covered) {
        await releaseClaim();
        return done;
      }
    } catch (error) {
      // After an outage it is unknown whether the events were stored.
      if (isRookeryError(error) && error.code !== 'unavailable') await releaseClaim();
      throw error;
    }
    await releaseClaim();
  }
  throw conflict();
}
