import { setTimeout as sleep } from 'node:timers/promises';
import type { Notifications } from '#kernel/listening.ts';
import { type Db, statement } from '#kernel/read.ts';

const CHANNEL = 'rookery_checkpoint';
/** SQL: the position that all members of a group have reached, but for halted ones. */
const GROUP_POSITION = 'coalesce(min(position) filter (where not halted), min(position))';
const POSITIONS = statement<{ group: string; position: string; foremost: string | null }>(
  'checkpoint_positions',
  `select "group", ${GROUP_POSITION} as position, max(position) filter (where not halted) as foremost
   from durable.projections group by "group"`,
);
const GROUPS = statement<Omit<GroupState, 'position'> & { position: string }>(
  'checkpoint_groups',
  `select "group", ${GROUP_POSITION} as position, bool_or(failure is not null and not halted) as failed,
     coalesce(array_agg(name order by name) filter (where halted), '{}') as halted, bool_and(halted) as empty
   from durable.projections group by "group" order by "group"`,
);
const NOTIFY = statement('checkpoint_notify', `select pg_notify('${CHANNEL}', $1)`);

/** The default pause between two notifications, in milliseconds. */
const ANNOUNCE_PAUSE = 5;

export interface GroupState {
  group: string;
  position: bigint;
  /** The log cannot be read, or no member can be blamed. */
  failed: boolean;
  /** The names of members that met an event which they cannot handle. */
  halted: string[];
  /** All members are halted. */
  empty: boolean;
}

/** Called with the group and the position that it had reached before. */
type OnFallBack = (group: string, lost: bigint) => void;

/** Each move of a group makes a new one. */
interface Known {
  readonly position: bigint;
}

interface Waiter {
  position: bigint;
  resolve: (reached: boolean) => void;
}

/**
 * The position of each group of projections, as far as this process knows: from its own runners immediately,
 * from those of other processes through NOTIFY. A crash of the database may lose the last commits of a group, which then falls back.
 */
export class Checkpoints {
  readonly #db: Db;
  readonly #known = new Map<string, Known>();
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #resting = new Map<string, () => void>();
  readonly #toAnnounce = new Set<string>();
  readonly #announcePause: number;
  readonly #onFallBack: OnFallBack[] = [];
  #announcing = false;

  /**
   * Under load one notification covers all commits of `announcePause` milliseconds; other processes may hear
   * of them that much later.
   */
  constructor(db: Db, { announcePause = ANNOUNCE_PAUSE }: { announcePause?: number } = {}) {
    this.#db = db;
    this.#announcePause = announcePause;
  }

  /** Listens to the runners of other processes. */
  async listen(notifications: Notifications): Promise<void> {
    await notifications.subscribe({
      channel: CHANNEL,
      onNotification: (payload) => {
        for (const each of payload.split(' ')) {
          const [group = '', position = '0'] = each.split('=');
          this.#advance(group, BigInt(position));
        }
      },
      onConnected: () => void this.refresh().catch(() => undefined),
    });
  }

  /** Calls back when a group has lost rows that readers had waited for. */
  onFallBack(listener: OnFallBack): void {
    this.#onFallBack.push(listener);
  }

  /** Reads all positions from the database. */
  async refresh(): Promise<void> {
    const before = new Map(this.#known);
    const rows = await this.#db.query(POSITIONS);
    for (const { group, position, foremost } of rows) {
      // A group that has moved meanwhile may be further than the answer says.
      const isSame = this.#known.get(group) === before.get(group);
      if (isSame && foremost !== null) this.#fallBack(group, BigInt(foremost));
      this.#advance(group, BigInt(position));
    }
  }

  /** Returns the stored state of every group. */
  async groups(): Promise<GroupState[]> {
    const rows = await this.#db.query(GROUPS);
    return rows.map((row) => ({ ...row, position: BigInt(row.position) }));
  }

  /** Returns the position of a group, as far as this process knows. */
  position(group: string): bigint {
    return this.#known.get(group)?.position ?? 0n;
  }

  /**
   * A runner of this process has committed: wakes the waiters of this process, and notifies other processes.
   */
  committed(group: string, position: bigint): void {
    this.#advance(group, position);
    this.#toAnnounce.add(group);
    void this.#announce();
  }

  /** A runner of this process begins there: after a crash of the database, the group may have lost its last rows. */
  begins(group: string, position: bigint): void {
    this.#fallBack(group, position);
    this.committed(group, position);
  }

  /** Resolves to true once the group reaches the position, or to false after `timeout` milliseconds. */
  reached(group: string, position: bigint, timeout: number): Promise<boolean> | true {
    if (this.position(group) >= position) return true;
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(group) ?? new Set();
      this.#waiters.set(group, waiters);
      const timer = setTimeout(() => {
        waiters.delete(waiter);
        resolve(false);
      }, timeout);
      const waiter: Waiter = {
        position,
        resolve: (reached) => {
          clearTimeout(timer);
          resolve(reached);
        },
      };
      waiters.add(waiter);
      this.#resting.get(group)?.();
    });
  }

  /**
   * Pauses the runner of a group, so that the next batch is larger. The pause ends after so many
   * milliseconds, or as soon as a reader waits for the group.
   */
  pauseBetweenBatches(group: string, milliseconds: number): Promise<void> {
    if ((this.#waiters.get(group)?.size ?? 0) > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#resting.delete(group);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#resting.set(group, end);
    });
  }

  close(): void {
    for (const end of this.#resting.values()) end();
    for (const waiters of this.#waiters.values()) for (const waiter of waiters) waiter.resolve(false);
  }

  #fallBack(group: string, position: bigint): void {
    const lost = this.position(group);
    if (position >= lost) return;
    this.#known.set(group, { position });
    for (const listener of this.#onFallBack) listener(group, lost);
  }

  #advance(group: string, position: bigint): void {
    if (position <= this.position(group)) return;
    this.#known.set(group, { position });
    const waiters = this.#waiters.get(group);
    if (!waiters) return;
    for (const waiter of waiters) {
      if (waiter.position > position) continue;
      waiters.delete(waiter);
      waiter.resolve(true);
    }
  }

  /** Sends at most one NOTIFY every few milliseconds, for all groups; the next one covers later commits. */
  async #announce(): Promise<void> {
    if (this.#announcing) return;
    this.#announcing = true;
    while (this.#toAnnounce.size > 0) {
      const positions = [...this.#toAnnounce].map((group) => `${group}=${this.position(group)}`);
      this.#toAnnounce.clear();
      await this.#db.query(NOTIFY, [positions.join(' ')]).catch(() => undefined);
      await sleep(this.#announcePause);
    }
    this.#announcing = false;
  }
}
