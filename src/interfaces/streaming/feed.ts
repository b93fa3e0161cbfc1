import { fairSemaphore } from '#kernel/concurrency.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { HOME, MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import type { Db } from '#kernel/read.ts';
import { type EventLog, NoSuchPosition } from '#storage/eventlog/port.ts';
import { CatchUpBudget } from './catch-up-budget.ts';
import { deliveriesFor, type Delivery, render, type Subscriber } from './deliveries.ts';
import { StreamEventReader } from './stream-events.ts';

/** Events that one read of the log returns. */
const BATCH = 200;
/**
 * The maximum number of messages that are rendered at once: they are in memory, besides those that clients
 * have not read.
 */
const RENDERED = 500;
/** The maximum number of missed events that a client receives when it reconnects. */
const MAX_MISSED = 10_000;
/** The number of batches that are read at once for all clients that reconnect. */
const CATCHING_UP = 2;
/** Milliseconds between two checks whether a wait for read models is still needed. */
const PATIENCE = 10_000;
const GROUPS = [MAIN, HOME, NOTIFICATIONS];

/** A listener's place in the log: after an event, and perhaps within the next relevant one. */
export interface ResumeToken {
  after: bigint;
  /** The number of messages that were already sent of the event at this position. */
  within?: { position: bigint; messages: number };
}

/** A subscriber with its progress, in the order of the log. */
export interface Listener extends Subscriber {
  send: (message: Message) => void;
  /**
   * Called once, instead of the missed events, when there are too many: the listener continues at the end of
   * the log.
   */
  tooOld: (head: bigint) => void;
  /** Aborts when the listener unsubscribes. */
  signal: AbortSignal;
}

export interface Message {
  event: string;
  payload: string | undefined;
  /** The listener's place after this message; absent for a message that is not in the log. */
  place?: ResumeToken;
}

export interface FeedOptions {
  log: Pick<EventLog, 'head' | 'readAll' | 'subscribeAll'>;
  db: Db;
  /**
   * Resolves to true when the read models of a group have reached a position, to false after so many
   * milliseconds.
   */
  reached: (group: string, position: bigint, timeout: number) => Promise<boolean> | true;
  /** Called when events can no longer be delivered: all listeners must reconnect. */
  onLost: (error: unknown) => void;
}

interface Subscription {
  listener: Listener;
  place: ResumeToken;
}

/**
 * Delivers events to listeners. Reads the log once for all of them, from the first subscription to the last,
 * so it costs nothing without listeners.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #followers = new Map<Listener, Subscription>();
  readonly #reader = new StreamEventReader();
  readonly #budget = new CatchUpBudget();
  /** Accounts take turns, batch by batch. */
  readonly #inTurn = fairSemaphore({ running: CATCHING_UP, waiting: Infinity });
  #running: { position: bigint; stop: AbortController } | undefined;
  #starting: Promise<void> | undefined;
  #wanted = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** Returns the place at which a new listener starts. */
  async here(): Promise<ResumeToken> {
    return { after: await this.#options.log.head() };
  }

  /**
   * Starts after a place, without a gap and without a repetition. Resolves when the listener receives live
   * events.
   */
  async add(listener: Listener, place: ResumeToken): Promise<void> {
    this.#wanted += 1;
    try {
      await this.#start();
      await this.#catchUp({ listener, place });
    } finally {
      this.#wanted -= 1;
      this.#stopIfUnused();
    }
  }

  remove(listener: Listener): void {
    this.#followers.delete(listener);
    this.#stopIfUnused();
  }

  async #start(): Promise<void> {
    if (this.#running) return;
    this.#starting ??= this.#options.log
      .head()
      .then((position) => {
        this.#running = { position, stop: new AbortController() };
        void this.#follow(this.#running);
      })
      .finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  #stopIfUnused(): void {
    if (this.#wanted > 0 || this.#followers.size > 0) return;
    this.#running?.stop.abort();
    this.#running = undefined;
  }

  async #follow(run: { position: bigint; stop: AbortController }): Promise<void> {
    const { signal } = run.stop;
    const options = { batchSize: BATCH, signal };
    try {
      for await (const events of this.#options.log.subscribeAll(run.position, options)) {
        run.position = events.at(-1)?.position ?? run.position;
        await this.#tell(events, [...this.#followers.values()], this.#reader, signal);
      }
    } catch (error) {
      if (this.#running === run) this.#running = undefined;
      if (!signal.aborted) this.#options.onLost(error);
    }
  }

  /** Delivers all events since the listener's place, until it has caught up; then it is live. */
  async #catchUp(follower: Subscription): Promise<void> {
    const { listener } = follower;
    const { signal } = listener;
    const reader = new StreamEventReader();
    const owner = listener.ctx.viewer.account_id;
    if (follower.place.after > (await this.#options.log.head())) await this.#giveUp(follower);
    for (let missed = 0; follower.place.after < (this.#running?.position ?? 0n);) {
      const batch = this.#inTurn(() => this.#catchUpBatch(follower, reader, missed), { owner, signal });
      missed += await batch.catch(unlessLeft(signal));
      if (signal.aborted) return;
    }
    // In the same turn as the last check of the position, so that no batch comes between.
    if (!signal.aborted) this.#followers.set(listener, follower);
  }

  /** Delivers the next events to a listener, or gives up. Returns their number. */
  async #catchUpBatch(follower: Subscription, reader: StreamEventReader, missed: number): Promise<number> {
    const { log } = this.#options;
    const { ctx, signal } = follower.listener;
    const { after } = follower.place;
    const events = await log.readAll(after, BATCH, { keepUnreadable: true }).catch(noneThere);
    const client = { accountId: ctx.viewer.account_id, ip: ctx.ip };
    const isTooMuch = events.length === 0 || missed + events.length > MAX_MISSED;
    if (isTooMuch || !(await this.#budget.take(client, events.length))) await this.#giveUp(follower);
    else await this.#tell(events, [follower], reader, signal);
    return events.length;
  }

  async #giveUp(follower: Subscription): Promise<void> {
    follower.place = await this.here();
    follower.listener.tooOld(follower.place.after);
  }

  async #tell(
    events: readonly RecordedEvent[],
    followers: readonly Subscription[],
    reader: StreamEventReader,
    signal: AbortSignal,
  ): Promise<void> {
    const happened = reader.read(events);
    const last = events.at(-1)?.position ?? 0n;
    if (happened.length > 0 && followers.length > 0) {
      await this.#untilReadModelsHold(happened.at(-1)?.position ?? last, signal);
      const byListener = new Map(followers.map((follower) => [follower.listener, follower]));
      const deliveries = await deliveriesFor(this.#options.db, happened, [...byListener.keys()]);
      const due = placed(deliveries, byListener);
      for (let start = 0; start < due.length && !signal.aborted; start += RENDERED) {
        await send(due.slice(start, start + RENDERED));
      }
    }
    for (const follower of followers) if (last > follower.place.after) follower.place = { after: last };
  }

  /** Waits without a limit: clients get no event that a request would not find. */
  async #untilReadModelsHold(position: bigint, signal: AbortSignal): Promise<void> {
    for (const group of GROUPS) {
      while (!signal.aborted && !(await this.#options.reached(group, position, PATIENCE)));
    }
  }
}

/** A listener that has unsubscribed waits for no turn. */
const unlessLeft =
  (signal: AbortSignal) =>
  (error: unknown): number => {
    if (signal.aborted) return 0;
    throw error;
  };

/** A client may send any place; an unknown place counts as too old. */
function noneThere(error: unknown): never[] {
  if (error instanceof NoSuchPosition) return [];
  throw error;
}

interface Due {
  delivery: Delivery<Listener>;
  place: ResumeToken;
}

/**
 * Returns the messages that each listener does not have yet, with the place that each one brings its listener
 * to.
 */
function placed(
  deliveries: readonly Delivery<Listener>[],
  followers: ReadonlyMap<Listener, Subscription>,
): Due[] {
  const due: Due[] = [];
  const newest = new Map<Listener, { due: Due; before: bigint; messages: number }>();
  for (const delivery of deliveries) {
    const { hearer, position } = delivery;
    const place = followers.get(hearer)?.place;
    if (!place || position <= place.after) continue;
    const next: Due = { delivery, place: { after: position } };
    const last = newest.get(hearer);
    let [before, messages] = [place.after, 1];
    if (last?.due.delivery.position === position) {
      // The message before is not the last of its event: a client that disconnects after it continues within
      // the event.
      last.due.place = { after: last.before, within: { position, messages: last.messages } };
      [before, messages] = [last.before, last.messages + 1];
    } else if (last) before = last.due.delivery.position;
    newest.set(hearer, { due: next, before, messages });
    const { within } = place;
    if (within?.position !== position || messages > within.messages) due.push(next);
  }
  return due;
}

async function send(due: readonly Due[]): Promise<void> {
  const rendered = await render(due.map(({ delivery }) => delivery));
  for (const [index, { delivery, place }] of due.entries()) {
    const message = rendered[index];
    if (message) delivery.hearer.send({ event: delivery.event, ...message, place });
  }
}
