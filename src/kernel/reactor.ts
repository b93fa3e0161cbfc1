import type { CommandContext } from './context.ts';
import type { AnyEvent, RecordedEvent, RecordedOf } from './event.ts';
import type { Db } from './read.ts';
import type { Services } from './services.ts';

/** Arguments of a reaction besides the event. */
export interface Reaction {
  /** Aborts when the process stops or the reaction takes too long. */
  signal: AbortSignal;
  /** 1 for the first try. */
  attempt: number;
}

/**
 * An effect of events outside of the read models: a mail, a push message, a command. A reactor has its own
 * checkpoint in the log, takes no part in a rebuild, and sees each event at least once: after a crash some
 * come again.
 *
 * The context's command id derives from the reactor's name and the event, so an append to one stream is
 * stored once, however often the event comes. `ctx.newId()` differs each time: an object that must be made
 * once takes its id from the event. Reads through `ctx.db` wait until the read models hold the event itself.
 */
export interface Reactor {
  /** Appears in the metadata of its events, and names its checkpoint: never change it. */
  name: string;
  /** The types of events that it takes. */
  types: ReadonlySet<string>;
  /** Cheaply skips events that it certainly does not handle, without waiting. */
  ignores: (event: RecordedEvent, services: Services) => boolean;
  /** Throwing retries a little later. After `attempts` the event is dead-lettered, and others continue. */
  react: (ctx: CommandContext, event: RecordedEvent, reaction: Reaction) => Promise<void>;
  /** The groups of read models that reads wait for; `[MAIN]` unless given. */
  reads?: readonly string[];
  /** The first position: after the present head, or at the first event. */
  begins: 'head' | 'start';
  /** Concurrent events. Events of one stream come in order. */
  concurrency: number;
  /** Events that wait for other servers beside the concurrent ones; 0 unless given. */
  outside: number;
  /** Returns whose events take turns: an account, or a server; unless given, events are served as they come. */
  owner: (event: RecordedEvent) => string;
  /** Events of one owner that are concurrent or wait for other servers; unlimited unless given. */
  perOwner: number;
  attempts: number;
  /** Milliseconds after which a reaction counts as failed. */
  deadline: number;
}

interface ReactorDefinition<Definitions extends readonly AnyEvent[]> extends Partial<
  Omit<Reactor, 'types' | 'ignores' | 'owner' | 'react'>
> {
  name: string;
  on: Definitions;
  owner?: (event: RecordedOf<Definitions[number]>) => string;
  ignores?: (event: RecordedOf<Definitions[number]>, services: Services) => boolean;
  react: (ctx: CommandContext, event: RecordedOf<Definitions[number]>, reaction: Reaction) => Promise<void>;
}

/** Declares a reactor; infers the events that it is given. */
export function reactor<const Definitions extends readonly AnyEvent[]>({
  on,
  ignores = () => false,
  owner = () => '',
  react,
  ...rest
}: ReactorDefinition<Definitions>): Reactor {
  return {
    begins: 'head',
    concurrency: 4,
    outside: 0,
    perOwner: Infinity,
    attempts: 5,
    deadline: 60_000,
    ...rest,
    types: new Set(on.map(({ type }) => type)),
    ignores: ignores as unknown as Reactor['ignores'],
    owner: owner as unknown as Reactor['owner'],
    react: react as unknown as Reactor['react'],
  };
}

/** A due item. The key names it for ever: a resulting command derives its id from the key. */
export interface Due {
  key: string;
}

/**
 * An effect of time instead of an event. The runner sleeps until something is due; events that may change
 * that wake it.
 */
export interface Timer<Row extends Due = Due> {
  /** Appears in the metadata of its events: never change it. */
  name: string;
  /** True for events that may make something due earlier, or at all. */
  wakes: (event: RecordedEvent) => boolean;
  /**
   * The groups of read models that `due` reads: it is called only when they contain the events that woke the
   * runner.
   */
  reads: readonly string[];
  /**
   * Returns some hundred rows at most that are due at `now` (ISO 8601), without those `except` that wait for
   * another try, and the time after `now` when the next row comes due.
   */
  due: (db: Db, now: string, except: readonly string[]) => Promise<{ rows: Row[]; next: string | undefined }>;
  /** Idempotent, because a crash may repeat it. Throwing retries a little later. */
  fire: (ctx: CommandContext, row: Row) => Promise<unknown>;
}

interface TimerDefinition<Definitions extends readonly AnyEvent[], Row extends Due> extends Omit<
  Timer<Row>,
  'wakes'
> {
  wakes: Definitions;
  /** Selects among these events; all of them unless given. */
  wakesWhen?: (event: RecordedOf<Definitions[number]>) => boolean;
}

/** Declares a timer; infers its rows. */
export function timer<const Definitions extends readonly AnyEvent[], Row extends Due>({
  wakes,
  wakesWhen = () => true,
  ...rest
}: TimerDefinition<Definitions, Row>): Timer {
  const types = new Set(wakes.map(({ type }) => type));
  return {
    ...rest,
    wakes: (event: RecordedEvent) =>
      types.has(event.type) && wakesWhen(event as RecordedOf<Definitions[number]>),
  } as unknown as Timer;
}
