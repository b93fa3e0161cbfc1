import { fairSemaphore, type Semaphore } from '#kernel/concurrency.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isDiskFull, isRookeryError } from '#kernel/errors.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { pause } from '#kernel/pause.ts';
import type { Reaction, Reactor } from '#kernel/reactor.ts';
import type { Db } from '#kernel/read.ts';
import { isMailRefused } from '#kernel/services/mailer.ts';
import { survivingStrays } from '#kernel/stray-rejections.ts';

/** The origin of a command of a reactor or a timer; becomes its context. */
export interface Origin {
  /** The name of the reactor or timer. */
  rule: string;
  /** Identical for the same cause, so that a repeat appends nothing twice. */
  cause: string;
  correlationId?: string;
  causationId?: string;
  /** Reads wait until the read models reach this position of the log. */
  position: bigint;
  /** The groups of read models that reads wait for. */
  reads?: readonly string[] | undefined;
}

export type ContextFor = (origin: Origin) => CommandContext;

/** Milliseconds before the second try; each further pause is four times as long, up to the maximum. */
const FIRST_PAUSE = 250;
const MAX_PAUSE = 60_000;
/** Milliseconds between checks whether the database is back. */
const OUTAGE_PAUSE = 1_000;

/** Returns the pause after a number of failures, in milliseconds. */
export const pauseAfter = (failures: number): number =>
  Math.min(FIRST_PAUSE * 4 ** (failures - 1), MAX_PAUSE);

export interface AttemptOptions {
  reactor: Reactor;
  db: Db;
  contextFor: ContextFor;
  signal: AbortSignal;
  slots?: Semaphore;
}

/** The end of an attempt: the reactor handled the event, it failed for good, or the process stops first. */
export type Outcome = { done: true } | { done: false; attempts: number; error: unknown } | undefined;

/**
 * Passes an event to a reactor, with retries after growing pauses. Tries during an outage of the database or
 * the log, or with a full disk, do not count: the event is not at fault.
 */
export async function attempt(event: RecordedEvent, options: AttemptOptions): Promise<Outcome> {
  const { reactor, db, signal, slots = fairSemaphore({ running: 1, waiting: Infinity }) } = options;
  for (let failures = 0; !signal.aborted;) {
    try {
      await slots(() => once(event, failures + 1, options), { owner: reactor.owner(event) });
      return { done: true };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (await isOutage(error, db)) {
        await pause(OUTAGE_PAUSE, signal);
        continue;
      }
      failures += 1;
      if (failures >= reactor.attempts) return { done: false, attempts: failures, error };
      await pause(pauseAfter(failures), signal);
    }
  }
  return undefined;
}

async function once(
  event: RecordedEvent,
  number: number,
  { reactor, contextFor, signal }: AttemptOptions,
): Promise<void> {
  signal.throwIfAborted();
  const late = new AbortController();
  const expired = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new Error(`No end within ${reactor.deadline} ms`);
    late.abort(error);
    expired.reject(error);
  }, reactor.deadline);
  let either: AbortSignal | undefined;
  const reaction: Reaction = {
    // Created on access: most reactors never use it, and each depends on the signal of the process for a
    // while.
    get signal() {
      return (either ??= AbortSignal.any([signal, late.signal]));
    },
    attempt: number,
  };
  try {
    await survivingStrays(`reactor ${reactor.name}`, async () => {
      if (event.unreadable !== undefined) throw new Error(event.unreadable);
      const ctx = contextFor({
        rule: reactor.name,
        cause: event.id,
        correlationId: event.metadata.correlation_id,
        causationId: event.id,
        position: event.position,
        reads: reactor.reads,
      });
      await Promise.race([reactor.react(ctx, event, reaction), expired.promise]);
    });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Tells whether the log, the database or the mail server is unreachable or out of space, in whatever error
 * the reactor wrapped that.
 */
async function isOutage(error: unknown, db: Db): Promise<boolean> {
  if (isMailRefused(error)) return false;
  if (isDiskFull(error) || (isRookeryError(error) && error.code === 'unavailable')) return true;
  return db.query('select 1').then(
    () => false,
    () => true,
  );
}
