/** An event in EventStoreDB, with its position in the transaction log. */
export interface LogRecord extends ProposedRecord {
  stream: string;
  revision: number;
  position: bigint;
  /** The time in units of 100 ns since 1970, as the server sends it. */
  created: string;
}

export interface ProposedRecord {
  id: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

export type AppendOutcome = { last: LogRecord } | { wrongVersion: { current: number } };

/** The stream was deleted and cannot be created again. */
export class TombstonedStream extends Error {}

/** The maximum size of an append in bytes: the default of `MaxAppendSize`. */
export const MAX_APPEND_BYTES = 1024 * 1024;

/** No record starts at the requested position. */
export class InvalidPosition extends Error {}

/**
 * The log of the test double, in memory. For a given expected revision, an append follows `CheckCommit` in
 * the IndexWriter of EventStoreDB. The log also contains system records in `$` streams, like the log of a
 * real server.
 */
export class DoubleLog {
  readonly records: LogRecord[] = [];
  readonly #streams = new Map<string, LogRecord[]>();
  readonly #watchers = new Set<() => void>();
  readonly #tombstones = new Set<string>();
  #writes = 0;

  constructor() {
    this.#write('$users', [systemRecord('$User')]);
    this.#write('$$$settings', [systemRecord('$metadata')]);
  }

  append(stream: string, expected: number, proposed: readonly ProposedRecord[]): AppendOutcome {
    this.assertNotDeleted(stream);
    const existing = this.#streams.get(stream) ?? [];
    const current = existing.length - 1;
    if (expected < current) {
      const place = existing.slice(expected + 1, expected + 1 + proposed.length);
      const last = place.at(-1);
      const repeated =
        place.length === proposed.length && place.every((record, i) => record.id === proposed[i]?.id);
      return repeated && last ? { last } : { wrongVersion: { current } };
    }
    if (expected > current) return { wrongVersion: { current } };
    const last = this.#write(stream, proposed);
    this.#writes += 1;
    if (this.#writes % 5 === 0) this.#write('$stats-127.0.0.1:2113', [systemRecord('$statsCollected')]);
    return { last };
  }

  /** Deletes a stream permanently, like an operator in the web interface of the server. */
  tombstone(stream: string): void {
    this.#write(stream, [systemRecord('$streamDeleted')]);
    this.#tombstones.add(stream);
  }

  assertNotDeleted(stream: string): void {
    if (this.#tombstones.has(stream)) throw new TombstonedStream(stream);
  }

  /** Removes the records of a stream from the log, like a scavenge after the deletion of a stream. */
  scavenge(stream: string): void {
    this.records.splice(0, this.records.length, ...this.records.filter((record) => record.stream !== stream));
    this.#streams.delete(stream);
  }

  /** Removes all records after a position, like a restored backup. */
  truncateAfter(position: bigint): void {
    const kept = this.records.filter((record) => record.position <= position);
    this.records.splice(0, this.records.length, ...kept);
    this.#streams.clear();
    for (const record of kept)
      this.#streams.set(record.stream, [...(this.#streams.get(record.stream) ?? []), record]);
  }

  stream(name: string): readonly LogRecord[] | undefined {
    return this.#streams.get(name);
  }

  /**
   * Returns the index of the record at a position, or the index after the last record. Fails for a position
   * between records, like the server.
   */
  indexAt(position: bigint): number {
    let low = 0;
    let high = this.records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.records[middle]?.position ?? 0n) < position) low = middle + 1;
      else high = middle;
    }
    if (low < this.records.length && this.records[low]?.position !== position) throw new InvalidPosition();
    return low;
  }

  /** Calls back after each write. Returns a function that ends this. */
  watch(onWrite: () => void): () => void {
    this.#watchers.add(onWrite);
    return () => this.#watchers.delete(onWrite);
  }

  #write(stream: string, proposed: readonly ProposedRecord[]): LogRecord {
    const existing = this.#streams.get(stream) ?? [];
    this.#streams.set(stream, existing);
    for (const event of proposed) {
      // Positions are offsets in a file, so they rise by the size of each record.
      const previous = this.records.at(-1);
      const position = previous ? previous.position + BigInt(120 + sizeOf(previous)) : 120n;
      const created = (BigInt(Date.now()) * 10_000n).toString();
      const record = { ...event, stream, revision: existing.length, position, created };
      existing.push(record);
      this.records.push(record);
    }
    for (const watcher of this.#watchers) watcher();
    return existing.at(-1) ?? fail('an append without events');
  }
}

/** The size that the server compares with `MaxAppendSize`. */
export const sizeOf = (event: ProposedRecord): number =>
  event.data.length + event.metadata.length + 2 * event.type.length;

function fail(what: string): never {
  throw new Error(what);
}

const systemRecord = (type: string): ProposedRecord => ({
  id: crypto.randomUUID(),
  type,
  contentType: 'application/json',
  data: new TextEncoder().encode('{"of":"the server"}'),
  metadata: new Uint8Array(),
});
