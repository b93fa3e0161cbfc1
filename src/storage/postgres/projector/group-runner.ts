import type { RecordedEvent } from '#kernel/event.ts';
import { pause } from '#kernel/pause.ts';
import type { Projection } from '#kernel/projection.ts';
import type { LastTry } from '#kernel/services/read-models.ts';
import type { Database } from '../db.ts';
import { isConnectionError } from '../outage.ts';
import type { Checkpoints } from './checkpoints.ts';
import { EventApplier, Rejected } from './event-applier.ts';
import type { EventSource } from './event-source.ts';
import { errorText, type Failure, messageOf, tried } from './failures.ts';
import { GroupMembers, type Member } from './group-members.ts';
import { rejoin } from './rejoin.ts';
import { readSkips, type Skips } from './skips.ts';

export interface GroupRunnerOptions {
  group: string;
  projections: readonly Projection[];
  log: EventSource;
  /** Its connections have synchronous_commit off, since the log can restore everything. */
  db: Database;
  checkpoints: Checkpoints;
  /**
   * Milliseconds to wait for more events after a batch of several. Batches are fewer and larger while no
   * reader waits for the rows.
   */
  batchDelayMs?: number;
  /** Waits after a single event too, for rows that are not urgent. */
  alwaysDelay?: boolean;
  onFailure: (failure: Failure) => void;
  onError: (error: unknown) => void;
  /** Called when a member has left the group, or is back in it. */
  onMembers: () => void;
}

const BATCH = 1_000;

/**
 * Follows the log for one group of projections. A member that rejects an event is halted: the group goes on without it, until a
 * retry lets it catch up alone and join again.
 */
export class GroupRunner {
  readonly #options: GroupRunnerOptions;
  readonly #members: GroupMembers;
  readonly #abort = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Ends the present reading of the log, after which the members are read again. */
  #round = new AbortController();
  #toRetry = true;
  /** The group's failure is noted, perhaps by an earlier process. */
  #noted = true;
  #rejoining: Promise<void> = Promise.resolve();
  readonly #halted = new Map<string, Failure>();
  #failure: Failure | undefined;
  #unread: Failure | undefined;
  /** Since the last sample. */
  #taken = 0;

  constructor(options: GroupRunnerOptions) {
    this.#options = options;
    this.#members = new GroupMembers(options.db, options.group, options.projections);
  }

  get failure(): Failure | undefined {
    return this.#failure ?? this.#unread;
  }

  get halted(): Failure[] {
    return [...this.#halted.values()];
  }

  /** Returns how many events each member took since the last call, by name. */
  sample(): Record<string, number> {
    const taken = this.#taken;
    this.#taken = 0;
    const following = this.#options.projections.filter(({ name }) => !this.#halted.has(name));
    return Object.fromEntries(following.map(({ name }) => [name, taken]));
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Retries the events that halted the group or its members, whose cause may be fixed. */
  retry(): void {
    if (this.#abort.signal.aborted) return;
    this.#toRetry = true;
    this.reread();
    if (!this.#failure) return;
    this.#failure = undefined;
    // A last run that has not ended yet continues by itself.
    this.#running = this.#running.then(() => this.#run());
  }

  /** Reads again which members are halted. */
  reread(): void {
    this.#round.abort();
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#running;
    await this.#rejoining;
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    for (let delay = 50; !signal.aborted && !this.#failure; delay = Math.min(delay * 2, 5_000)) {
      try {
        await this.#follow();
        delay = 50;
      } catch (error) {
        if (!isConnectionError(error)) {
          this.#options.onError(error);
          const position = String(this.#options.checkpoints.position(this.#options.group));
          const nowhere = { projection: '', event_id: '', event_type: '' };
          this.#unread = { ...nowhere, position, error: messageOf(error) };
          this.#noted = true;
          await this.#members.note(this.#unread).catch(this.#options.onError);
        }
        await pause(delay, signal);
      }
    }
  }

  /** Runs until the checkpoint is elsewhere, a member leaves or joins, or the runner ends. */
  async #follow(): Promise<void> {
    const { log, group, checkpoints, db, batchDelayMs = 0, alwaysDelay = false } = this.#options;
    this.#round = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, this.#round.signal]);
    const { all, skips, retried } = await this.#readMembers();
    const following = all.filter(({ halted }) => !halted);
    // The group does not wait for them.
    this.#rejoining = this.#rejoining.then(() => this.#retryHalted(retried, skips));
    // Without members, readers need not wait for the group: they are told that its read models are halted.
    let position = following.length > 0 ? lowest(following) : lowest(all);
    checkpoints.begins(group, position);
    const applier = new EventApplier({
      members: this.#members,
      projections: following.map(({ projection }) => projection),
      db,
      skips,
      onCommitted: (at) => checkpoints.committed(group, at),
    });
    const batches = log.subscribeAll(position, { batchSize: BATCH, signal });
    for await (const events of batches) {
      this.#unread = undefined;
      const next = await this.#take(applier, position, events);
      if (next === undefined || signal.aborted) return;
      position = next;
      this.#taken += events.length;
      if (batchDelayMs > 0 && (alwaysDelay || events.length > 1))
        await checkpoints.pauseBetweenBatches(group, batchDelayMs);
    }
  }

  /** Reads the members, the events to leave out, and the halted members whose retry was asked for. */
  async #readMembers(): Promise<{ all: Member[]; skips: Skips; retried: Member[] }> {
    // A retry that is asked for from here on needs what is read after it, in the next round.
    const toRetry = this.#toRetry;
    this.#toRetry = false;
    try {
      const all = await this.#members.read();
      const skips = await readSkips(this.#options.db);
      // The note of another process stays until this one gets past the event.
      if (this.#noted) await this.#members.goesOn();
      this.#noted = false;
      return { all, skips, retried: toRetry ? all.filter(({ halted }) => halted) : [] };
    } catch (error) {
      this.#toRetry ||= toRetry;
      throw error;
    }
  }

  async #take(
    applier: EventApplier,
    position: bigint,
    events: readonly RecordedEvent[],
  ): Promise<bigint | undefined> {
    try {
      return await applier.take(position, events);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      await this.#halt(error.failure);
      return undefined;
    }
  }

  async #halt(failure: Failure, lastTry?: LastTry): Promise<void> {
    const { onFailure, onMembers, onError } = this.#options;
    onFailure(failure);
    if (failure.projection === '') {
      this.#failure = failure;
      this.#noted = true;
      await this.#members.note(failure).catch(onError);
      return;
    }
    this.#halted.set(failure.projection, failure);
    await this.#members.halt(failure, lastTry);
    onMembers();
  }

  async #noteTry(projection: Projection, error: unknown): Promise<void> {
    if (error instanceof Rejected) return this.#halt(error.failure, tried('rejected', error.failure.error));
    this.#options.onError(error);
    if (!this.#abort.signal.aborted)
      await this.#members.noteTry(projection, tried('failed', errorText(error)));
  }

  /** Lets halted members catch up beside the group, one after the other. */
  async #retryHalted(members: readonly Member[], skips: Skips): Promise<void> {
    const { db, log, onError, onMembers } = this.#options;
    const { signal } = this.#abort;
    for (const { projection, position } of members) {
      if (signal.aborted) return;
      try {
        await rejoin({ projection, position, skips, db, log, members: this.#members, signal });
        this.#halted.delete(projection.name);
        this.reread();
        onMembers();
      } catch (error) {
        await this.#noteTry(projection, error).catch(onError);
      }
    }
  }
}

const lowest = (members: readonly Member[]): bigint =>
  members.map(({ position }) => position).reduce((a, b) => (a < b ? a : b));
