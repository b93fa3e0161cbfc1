import { hash } from 'node:crypto';
import { KeyedMutex } from '#kernel/concurrency.ts';
import type { Executed, ExecuteOptions } from '#kernel/context.ts';
import { type Decider, fold } from '#kernel/decider.ts';
import { conflict } from '#kernel/errors.ts';
import type { DomainEvent, EventMetadata, RecordedEvent } from '#kernel/event.ts';
import { type EventLog, NO_STREAM, outage, RevisionConflict } from './port.ts';

/** The maximum number of attempts at a decision while other commands write to the stream. */
const ATTEMPTS = 8;
/**
 * Serializes commands that met a conflict on a stream: a hundred concurrent ones would need a hundred
 * attempts each.
 */
const streamMutex = new KeyedMutex();

export interface Execution<State, Event extends DomainEvent, Facts> extends ExecuteOptions<State, Facts> {
  stream: string;
  decider: Decider<State, Event>;
  decide: (state: State, facts: Facts) => readonly Event[];
  metadata: EventMetadata;
}

/**
 * Loads, folds, decides and appends; on a conflict, starts again. Event ids derive from the command id, so a
 * command that is repeated after a lost answer finds its own events and adds nothing.
 * @throws the errors of `gather` and `decide`; RookeryError `conflict` when the stream is too busy,
 * `unavailable` during an outage of the log
 */
export async function execute<State, Event extends DomainEvent, Facts>(
  log: EventLog,
  execution: Execution<State, Event, Facts>,
): Promise<Executed<State, Event>> {
  const { stream } = execution;
  let done = streamMutex.has(stream) ? await streamMutex.acquire(stream) : undefined;
  try {
    return await attempts(log, execution, async () => {
      done ??= await streamMutex.acquire(stream);
    });
  } finally {
    done?.();
  }
}

/** @param onConflict awaited before each further attempt */
async function attempts<State, Event extends DomainEvent, Facts>(
  log: EventLog,
  { stream, decider, decide, gather, metadata, isNew, step = '' }: Execution<State, Event, Facts>,
  onConflict: () => Promise<void>,
): Promise<Executed<State, Event>> {
  const eventId = (index: number): string => deriveId(`${metadata.command_id}/${step}/${stream}/${index}`);
  let load = isNew !== true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const past = load ? await log.readStream(stream) : [];
      const repeated = repeatedEvents(past, eventId);
      const last = repeated.at(-1);
      if (last) return { state: foldAll(decider, past), events: asEvents(repeated), position: last.position };
      const before = foldAll(decider, past);
      const events = decide(before, gather ? await gather(before) : (undefined as Facts));
      const state = events.reduce(decider.evolve, before);
      // No new event, but the state behind the decision may not be projected yet.
      if (events.length === 0) return { state, events, position: past.at(-1)?.position ?? 0n };
      const appended = await log.append(
        stream,
        past.at(-1)?.revision ?? NO_STREAM,
        events.map((event, index) => ({ id: eventId(index), type: event.type, data: event.data, metadata })),
      );
      return { state, events, position: appended.position };
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw outage(error);
      if (attempt === ATTEMPTS) {
        throw conflict(error);
      }
      load = true;
      await onConflict();
    }
  }
}

/** Returns the events that an earlier run of the same command stored. */
function repeatedEvents(past: readonly RecordedEvent[], eventId: (index: number) => string): RecordedEvent[] {
  if (past.length === 0) return [];
  const firstId = eventId(0);
  const first = past.findIndex(({ id }) => id === firstId);
  if (first === -1) return [];
  return past.slice(first).filter(({ id }, index) => id === eventId(index));
}

const asEvents = <Event>(events: readonly RecordedEvent[]): Event[] => events as unknown as Event[];
const foldAll = <State, Event extends DomainEvent>(
  decider: Decider<State, Event>,
  events: readonly RecordedEvent[],
): State => fold(decider, asEvents<Event>(events));

/** Returns a UUID (version 8, RFC 9562: custom) that is the same for the same text. */
export function deriveId(text: string): string {
  const hex = hash('sha256', text, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
