import { BACKWARDS, END } from '@eventstore/db-client';
import type {
  AllStreamResolvedEvent,
  EventStoreDBClient,
  ResolvedEvent,
  StreamingRead,
} from '@eventstore/db-client';
import { Silence } from './eventstoredb-failures.ts';

export type Resolved = AllStreamResolvedEvent | ResolvedEvent;
export type Source = StreamingRead<AllStreamResolvedEvent> | StreamingRead<ResolvedEvent>;

/**
 * Visits the results of a read until `visit` returns true, then ends the call.
 * @throws Silence when nothing arrives for so many milliseconds
 */
export async function goThrough(
  source: Source,
  silenceMs: number,
  visit: (resolved: Resolved) => boolean,
): Promise<void> {
  // An error after the last event is irrelevant, but needs a listener.
  source.on('error', () => {});
  const silence = setTimeout(() => source.destroy(new Silence(silenceMs)), silenceMs);
  try {
    const incoming = source.iterator({ destroyOnReturn: false }) as AsyncIterable<Resolved>;
    for await (const resolved of incoming) {
      silence.refresh();
      if (visit(resolved)) break;
    }
  } finally {
    clearTimeout(silence);
    source.cancel().catch(() => {});
    // The client forgets a call only once all its results are read.
    source.resume();
  }
}

/**
 * Decisions rest on these calls, so a follower of a cluster, which may lag, must not answer them. It names
 * the leader, the client reconnects there, and the call is repeated.
 */
export const AT_LEADER = { requiresLeader: true } as const;

/** Usually few or no records of the server follow the newest event, so a small read suffices. */
const FEW = 8;

/**
 * The position of the newest event of this program. Any number of records of the server and of other programs
 * may follow it; each of them is read once.
 */
export class Head {
  readonly #client: EventStoreDBClient;
  readonly #positionOf: (resolved: Resolved) => bigint | undefined;
  readonly #silenceMs: number;
  /** The position up to which no event is newer than `#newest`. */
  #looked = 0n;
  #newest = 0n;

  constructor(
    client: EventStoreDBClient,
    silenceMs: number,
    positionOf: (resolved: Resolved) => bigint | undefined,
  ) {
    this.#client = client;
    this.#silenceMs = silenceMs;
    this.#positionOf = positionOf;
  }

  /** Notes the position of an event of this program. */
  saw(position: bigint): void {
    if (position <= this.#newest) return;
    this.#newest = position;
    if (position > this.#looked) this.#looked = position;
  }

  async read(): Promise<bigint> {
    return (await this.#look(FEW)) ?? (await this.#look(Number.MAX_SAFE_INTEGER)) ?? 0n;
  }

  /**
   * Reads backwards through at most so many records. @returns undefined when they do not tell and there are
   * more
   */
  async #look(maxCount: number): Promise<bigint | undefined> {
    const options = { ...AT_LEADER, direction: BACKWARDS, fromPosition: END, maxCount } as const;
    const looked = this.#looked;
    const seen: { count: number; end?: bigint; newest?: bigint } = { count: 0 };
    await goThrough(this.#client.readAll(options), this.#silenceMs, (resolved) => {
      const place = cursorOf(resolved) ?? 0n;
      seen.count += 1;
      seen.end ??= place;
      // A log that ends before the known position is another one, such as a restored backup.
      if (seen.end < looked) this.#looked = this.#newest = 0n;
      const event = this.#positionOf(resolved);
      if (event !== undefined) seen.newest = event;
      else if (place <= this.#looked) seen.newest = this.#newest;
      return seen.newest !== undefined;
    });
    if (seen.newest === undefined && seen.count === maxCount) return undefined;
    this.saw(seen.newest ?? 0n);
    if (seen.end !== undefined && seen.end > this.#looked) this.#looked = seen.end;
    return this.#newest;
  }
}

/** Returns the position of a record of any kind. */
export const cursorOf = ({ event, commitPosition }: Resolved): bigint | undefined =>
  event?.position?.commit ?? commitPosition;
