import type { RecordedEvent } from '#kernel/event.ts';
import { pause } from '#kernel/pause.ts';
import type { Timer } from '#kernel/reactor.ts';
import type { EventLog } from '../eventlog/port.ts';
import { attempt } from './attempt.ts';
import { CheckpointWriter } from './checkpoints.ts';
import type { ReactorsOptions } from './options.ts';
import { ReactorRunner } from './runner.ts';
import { askedRetries, type DeadLetter, forget, storeDeadLetter } from './store.ts';
import { TimerStateWriter } from './timer-states.ts';
import { TimerRunner } from './timers.ts';

const BATCH = 500;
/** Milliseconds that running reactions get to end. Unfinished ones are repeated. */
const PATIENCE = 5_000;

/**
 * The time during which this process holds the lock. It follows the log once, for all reactors and timers. A
 * reactor that lags reads the log by itself, so that the others need not wait for it.
 */
export class Leadership {
  readonly #options: ReactorsOptions;
  readonly #signal: AbortSignal;
  readonly #runners: readonly ReactorRunner[];
  readonly #timers: readonly TimerRunner[];
  readonly #checkpoints: CheckpointWriter;
  readonly #timerStates: TimerStateWriter;
  /** The position up to which the log was read. */
  #position = 0n;
  #retrying: Promise<void> = Promise.resolve();

  constructor(options: ReactorsOptions, positions: ReadonlyMap<string, bigint>, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#runners = options.reactors.map(
      (reactor) =>
        new ReactorRunner({
          ...options,
          reactor,
          position: positions.get(reactor.name) ?? 0n,
          followed: () => this.#position,
          onMoved: (worked) => this.#checkpoints.moved(worked),
          onDeadLetter: (event, error) => options.onDeadLetter(reactor.name, event, error),
          signal,
        }),
    );
    this.#checkpoints = new CheckpointWriter(options.checkpointDb, this.#runners, options.onError);
    this.#timers = options.timers.map(
      (timer) => new TimerRunner({ ...options, timer, onChanged: () => this.#timerStates.changed(), signal }),
    );
    this.#timerStates = new TimerStateWriter(
      options.checkpointDb,
      this.#timers.map(({ status }) => status),
      options.onError,
    );
  }

  /** Returns the position of each reactor. */
  positions(): Map<string, bigint> {
    return new Map(this.#runners.map(({ name, position }) => [name, position]));
  }

  /** Runs until the signal aborts. */
  async run(): Promise<void> {
    const { log } = this.#options;
    try {
      this.#position = (await commonStart(log, [...this.positions().values()])) ?? (await log.head());
      for (const runner of this.#runners) runner.start();
      for (const timer of this.#timers) timer.start(await log.head());
      this.#timerStates.changed();
      this.retry();
      await this.#follow();
    } finally {
      await this.#end();
    }
  }

  /** Retries dead-lettered events that the operator asked for. */
  retry(): void {
    this.#retrying = this.#retrying.then(() => this.#retryAsked()).catch(this.#options.onError);
  }

  async #follow(): Promise<void> {
    const { log, timers } = this.#options;
    for await (const events of log.subscribeAll(this.#position, { batchSize: BATCH, signal: this.#signal })) {
      for (const runner of this.#runners) runner.offer(events);
      const last = events.at(-1)?.position ?? this.#position;
      this.#position = last;
      for (const [index, { wakes }] of timers.entries()) {
        if (events.some((event) => mayWake(wakes, event))) this.#timers[index]?.wake(last);
      }
    }
  }

  async #retryAsked(): Promise<void> {
    const { db } = this.#options;
    for (;;) {
      const asked = await askedRetries(db);
      if (asked.length === 0 || this.#signal.aborted) return;
      for (const entry of asked) await this.#retryOne(entry);
    }
  }

  /** Tries once, since the operator is watching. */
  async #retryOne(entry: DeadLetter): Promise<void> {
    const { db, log, reactors, onDeadLetter } = this.#options;
    const reactor = reactors.find(({ name }) => name === entry.reactor);
    const stream = await log.readStream(entry.stream, { keepUnreadable: true });
    const event = stream.find(({ id }) => id === entry.event_id);
    if (!reactor || !event) return forget(db, entry);
    const outcome = await attempt(event, {
      ...this.#options,
      reactor: { ...reactor, attempts: 1 },
      signal: this.#signal,
    });
    if (!outcome) return;
    if (outcome.done) return forget(db, entry);
    await storeDeadLetter(db, reactor.name, event, outcome);
    onDeadLetter(reactor.name, event, outcome.error);
  }

  async #end(): Promise<void> {
    const { onError } = this.#options;
    const enough = new AbortController();
    const ended = Promise.all([
      this.#retrying,
      ...this.#runners.map((runner) => runner.stopped()),
      ...this.#timers.map((timer) => timer.stopped()),
    ]).then(() => enough.abort());
    await Promise.race([ended, pause(PATIENCE, enough.signal)]);
    const writers = [this.#checkpoints, this.#timerStates];
    await Promise.all(writers.map((writer) => writer.flush().catch(onError)));
    for (const writer of writers) writer.close();
  }
}

/** An event that the timer cannot judge may have made something due. */
function mayWake(wakes: Timer['wakes'], event: RecordedEvent): boolean {
  try {
    return wakes(event);
  } catch {
    return true;
  }
}

/**
 * Returns the position from which reactors follow the log together: the least one that a page of events leads
 * from to the next reactor, and from there on to the foremost one. Undefined without reactors.
 */
export async function commonStart(
  log: Pick<EventLog, 'readAll'>,
  positions: readonly bigint[],
): Promise<bigint | undefined> {
  const [foremost, ...others] = [...new Set(positions)].sort((one, other) => (one > other ? -1 : 1));
  let start = foremost;
  for (const position of others) {
    if (start === undefined || !(await isWithinPage(log, position, start))) break;
    start = position;
  }
  return start;
}

/** Positions are distinct, so only a wide gap must be read: in EventStoreDB it may hold few events. */
async function isWithinPage(log: Pick<EventLog, 'readAll'>, from: bigint, to: bigint): Promise<boolean> {
  if (to - from <= BigInt(BATCH)) return true;
  const page = await log.readAll(from, BATCH, { keepUnreadable: true });
  return (page.at(-1)?.position ?? to) >= to;
}
