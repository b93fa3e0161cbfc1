import { convertToCommandError } from '@eventstore/db-client';
import { cancelRead, type Connection, type WireRead, within } from './eventstoredb-connection.ts';
import { Silence } from './eventstoredb-failures.ts';
import { readBefore } from './eventstoredb-requests.ts';
import type { WireEvent, WireResult } from './eventstoredb-wire.ts';

/**
 * Visits the events of a read until `visit` returns true, then ends the call.
 * @throws Silence when nothing arrives for so many milliseconds; the errors of the client
 */
export async function goThrough(
  call: Promise<WireRead>,
  silenceMs: number,
  visit: (event: WireEvent) => boolean,
): Promise<void> {
  const read = await within(silenceMs, call).catch((error: unknown) => {
    call.then(cancelRead, () => undefined);
    throw error;
  });
  // An error after the last event is irrelevant, but needs a listener.
  read.on('error', () => {});
  const silence = setTimeout(() => read.destroy(new Silence(silenceMs)), silenceMs);
  try {
    const incoming = read.iterator({ destroyOnReturn: false }) as AsyncIterable<WireResult>;
    for await (const { event } of incoming) {
      silence.refresh();
      if (event && visit(event)) break;
    }
  } catch (error) {
    throw convertToCommandError(error as Error);
  } finally {
    clearTimeout(silence);
    cancelRead(read);
  }
}

/** Usually few or no records of the server follow the newest event, so a small read suffices. */
const FEW = 8;

/**
 * The position of the newest event of this program. Any number of records of the server and of other programs
 * may follow it; each of them is read once.
 */
export class Head {
  readonly #connection: Connection;
  readonly #isOurs: (event: WireEvent) => boolean;
  readonly #silenceMs: number;
  /** The position up to which no event is newer than `#newest`. */
  #looked = 0n;
  #newest = 0n;

  constructor(connection: Connection, silenceMs: number, isOurs: (event: WireEvent) => boolean) {
    this.#connection = connection;
    this.#silenceMs = silenceMs;
    this.#isOurs = isOurs;
  }

  /** The newest position that this process knows. */
  get newest(): bigint {
    return this.#newest;
  }

  /** Notes the position of an event of this program. */
  saw(position: bigint): void {
    if (position <= this.#newest) return;
    this.#newest = position;
    if (position > this.#looked) this.#looked = position;
  }

  async read(): Promise<bigint> {
    return (await this.#look(FEW)) ?? (await this.#look()) ?? 0n;
  }

  /**
   * Reads backwards through at most so many records. @returns undefined when they do not tell and there are
   * more
   */
  async #look(maxCount?: number): Promise<bigint | undefined> {
    const looked = this.#looked;
    const seen: { count: number; end?: bigint; newest?: bigint } = { count: 0 };
    const read = this.#connection.read(readBefore(undefined, maxCount));
    await goThrough(read, this.#silenceMs, (event) => {
      const place = event.position;
      seen.count += 1;
      seen.end ??= place;
      // A log that ends before the known position is another one, such as a restored backup.
      if (seen.end < looked) this.#looked = this.#newest = 0n;
      if (this.#isOurs(event)) seen.newest = place;
      else if (place <= this.#looked) seen.newest = this.#newest;
      return seen.newest !== undefined;
    });
    if (seen.newest === undefined && seen.count === maxCount) return undefined;
    this.saw(seen.newest ?? 0n);
    if (seen.end !== undefined && seen.end > this.#looked) this.#looked = seen.end;
    return this.#newest;
  }
}
