/** The requests that a piece of work may make to each host, and has made so far. */
export class HostBudget {
  readonly #most: number;
  readonly free: string | undefined;
  readonly #spent: Map<string, number>;

  /** `free` is the host that caused the work: it may be asked without a limit. */
  constructor(most: number, { free, spent = {} }: { free?: string | undefined; spent?: Spent } = {}) {
    this.#most = most;
    this.free = free;
    this.#spent = new Map(Object.entries(spent));
  }

  /** Counts a request. Returns false when the host was asked often enough. */
  spend(host: string): boolean {
    if (host === this.free) return true;
    const count = this.#spent.get(host) ?? 0;
    if (count >= this.#most) return false;
    this.#spent.set(host, count + 1);
    return true;
  }

  /** The requests by host, for a later part of the same work. */
  get spent(): Spent {
    return Object.fromEntries(this.#spent);
  }
}

export type Spent = Readonly<Record<string, number>>;

/** Reads the counts from the data of a job. */
export const spentIn = (value: unknown): Spent =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
      )
    : {};
