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
 * Goes through what a read gives until `visit` returns true, then ends the call.
 * @throws Silence when nothing comes for so many milliseconds
 */
export async function goThrough(
  source: Source,
  silenceMs: number,
  visit: (resolved: Resolved) => boolean,
): Promise<void> {
  // An error that comes after the last event interests nothing, but must have a listener.
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
    // The client forgets a call only when everything that came for it was read.
    source.resume();
  }
}

/**
 * Decisions are made on what these calls give, so a follower in a cluster, which may lag, must not answer them: it names
 * the leader, the client reconnects there, and the call is repeated.
 */
export const AT_LEADER = { requiresLeader: true } as const;

/** Few records of the server stand behind the newest event, if any. So a small read nearly always does. */
const FEW = 8;

/**
 * The position of the newest event of this program. Behind it there may be any number of records of the server and of other programs;
 * each of them is read once, for what was looked at before is remembered.
 */
export class Head {
  readonly #client: EventStoreDBClient;
  readonly #positionOf: (resolved: Resolved) => bigint | undefined;
  readonly #silenceMs: number;
  /** Up to here there is no newer event than `#newest`. */
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

  /** Notes where an event of this program stands. */
  saw(position: bigint): void {
    if (position <= this.#newest) return;
    this.#newest = position;
    if (position > this.#looked) this.#looked = position;
  }

  async read(): Promise<bigint> {
    return (await this.#look(FEW)) ?? (await this.#look(Number.MAX_SAFE_INTEGER)) ?? 0n;
  }

  /** Goes backwards through so many records at most. @returns undefined where they do not tell, and there are more */
  async #look(maxCount: number): Promise<bigint | undefined> {
    const options = { ...AT_LEADER, direction: BACKWARDS, fromPosition: END, maxCount } as const;
    const looked = this.#looked;
    const seen: { count: number; end?: bigint; newest?: bigint } = { count: 0 };
    await goThrough(this.#client.readAll(options), this.#silenceMs, (resolved) => {
      const place = placeOf(resolved) ?? 0n;
      seen.count += 1;
      seen.end ??= place;
      // A log that ends before what was looked at is another one, such as a restored backup.
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

/** Where a record stands in the log, of whatever kind it is. */
export const placeOf = ({ event, commitPosition }: Resolved): bigint | undefined =>
  event?.position?.commit ?? commitPosition;
