import { altered } from '#kernel/altered.ts';
import type { RookeryError } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import type { EventStore, StoredEvent } from '#storage/eventlog/port.ts';
import { leafOf } from './leaf.ts';
import { Frontier, fullRoot, leafHash, type LeafRange, rootOf, type Subtree, subtreesOf } from './merkle.ts';
import {
  CHUNK,
  chunkEnds,
  chunksHolding,
  hashesOfRuns,
  type HeldChunk,
  LEVEL_HEIGHT,
  storedChunks,
  type SubtreeRun,
} from './stored-subtrees.ts';

/** The sources of the tree: hashes from the database, events from the log. */
export interface TreeSources {
  db: Db;
  store: Pick<EventStore, 'readAll' | 'head'>;
}

/** An event, and the number of events before it. */
export interface PlacedEvent {
  index: number;
  event: StoredEvent;
}

/** Returns the error for a log that contradicts its record. */
export const logAltered = (): RookeryError =>
  altered('The log is not what was recorded of it; see: rookery log verify');

/**
 * The recorded tree of the log: stored hashes of full chunks, and below them the events. A reply costs two or
 * three statements and some hundred events, at any length of the log.
 */
export class LogTree {
  readonly #sources: TreeSources;

  constructor(sources: TreeSources) {
    this.#sources = sources;
  }

  /** Returns the edge of the tree of all stored chunks, and the position of their last event. */
  async stored(
    onSubtree: (subtree: Subtree, hash: Buffer) => void,
  ): Promise<{ frontier: Frontier; position: bigint }> {
    const { count, lastPosition } = await storedChunks(this.#sources.db);
    const subtrees = subtreesOf([0, count * CHUNK]);
    const hashes = await this.hashes(subtrees);
    const frontier = new Frontier(onSubtree);
    subtrees.forEach(({ height }, index) => frontier.append(hashes[index] as Buffer, height));
    return { frontier, position: lastPosition };
  }

  /**
   * Returns the hash of each of these full subtrees. @throws RookeryError `conflict` when the log ends before
   */
  async hashes(subtrees: readonly Subtree[]): Promise<Buffer[]> {
    const high = subtrees.filter(isStored);
    const low = subtrees.filter((subtree) => !isStored(subtree));
    const chunks = [...new Set(low.map(chunkOf))];
    const [runs, leaves] = await Promise.all([
      hashesOfRuns(this.#sources.db, high.map(runBelow)),
      this.#leavesOf(chunks),
    ]);
    return subtrees.map((subtree) => {
      const index = high.indexOf(subtree);
      if (index >= 0) return fullRoot(runs[index] ?? []);
      const size = 2 ** subtree.height;
      const first = (subtree.place * size) % CHUNK;
      const inside = leaves.get(chunkOf(subtree))?.slice(first, first + size) ?? [];
      if (inside.length < size) throw logAltered();
      return fullRoot(inside);
    });
  }

  /** Returns the hash of each of these ranges, as proofs name them. @throws RookeryError as `hashes` */
  async rangeHashes(ranges: readonly LeafRange[]): Promise<Buffer[]> {
    const parts = ranges.map(subtreesOf);
    const hashes = await this.hashes(parts.flat());
    let done = 0;
    return parts.map(({ length }) => rootOf(hashes.slice(done, (done += length))));
  }

  /** Returns the root of the first `size` events. @throws RookeryError as `hashes` */
  async rootAt(size: number): Promise<Buffer> {
    return (await this.rangeHashes([[0, size]]))[0] as Buffer;
  }

  /**
   * Returns an event and the number of events before it; undefined when the recorded part of the log has none
   * at this position.
   */
  async find(position: bigint): Promise<PlacedEvent | undefined> {
    return (await this.findAll([position]))[0];
  }

  /** Returns the events at these positions as `find` does, in the same order, without those that the log lacks. */
  async findAll(positions: readonly bigint[]): Promise<PlacedEvent[]> {
    if (positions.length === 0) return [];
    const held = await chunksHolding(this.#sources.db, positions);
    const byPlace = new Map([...held.values()].map((chunk) => [chunk.place, this.#eventsOf(chunk)]));
    const chunks = new Map(
      await Promise.all([...byPlace].map(async ([place, events]) => [place, await events] as const)),
    );
    return positions.flatMap((position) => {
      const { place = 0 } = held.get(position) ?? {};
      const events = chunks.get(place) ?? [];
      const offset = events.findIndex((event) => event.position === position);
      const event = events[offset];
      return event ? [{ index: place * CHUNK + offset, event }] : [];
    });
  }

  /** Returns the number of recorded events up to this position, inclusive. */
  async countUpTo(position: bigint): Promise<number> {
    const { first, events } = await this.#chunkAround(position);
    return first + events.filter((event) => event.position <= position).length;
  }

  /** Returns the number of recorded events before a position, and the position of the last of them, 0 without any. */
  async before(position: bigint): Promise<{ count: number; position: bigint }> {
    const { first, after, events } = await this.#chunkAround(position);
    const earlier = events.filter((event) => event.position < position);
    return { count: first + earlier.length, position: earlier.at(-1)?.position ?? after };
  }

  /** Returns the events of the chunk around this position; `first` is the index of the first of them, which follow `after`. */
  async #chunkAround(position: bigint): Promise<{ first: number; after: bigint; events: StoredEvent[] }> {
    const held = await chunksHolding(this.#sources.db, [position]);
    const chunk = held.get(position) ?? { place: 0, after: 0n };
    return { first: chunk.place * CHUNK, after: chunk.after, events: await this.#eventsOf(chunk) };
  }

  #eventsOf({ after }: HeldChunk): Promise<StoredEvent[]> {
    return eventsAfter(this.#sources.store, after, CHUNK);
  }

  async #leavesOf(places: readonly number[]): Promise<Map<number, Buffer[]>> {
    const chunks = await this.#chunks(places);
    return new Map(
      [...chunks].map(([place, events]) => [place, events.map((each) => leafHash(leafOf(each)))]),
    );
  }

  /** Returns the events of some chunks; of a partial chunk, its present events. */
  async #chunks(places: readonly number[]): Promise<Map<number, StoredEvent[]>> {
    if (places.length === 0) return new Map();
    const { db, store } = this.#sources;
    const before = places.filter((place) => place > 0).map((place) => place - 1);
    const ends = before.length > 0 ? await chunkEnds(db, before) : new Map<number, bigint>();
    const chunks = places.map(async (place) => {
      const after = place === 0 ? 0n : ends.get(place - 1);
      if (after === undefined) throw new Error('Hashes of the tree of the log are missing');
      return [place, await eventsAfter(store, after, CHUNK)] as const;
    });
    return new Map(await Promise.all(chunks));
  }
}

/** Returns at most so many events after a position. */
export async function eventsAfter(
  store: TreeSources['store'],
  after: bigint,
  count: number,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  while (events.length < count) {
    const more = await store.readAll(events.at(-1)?.position ?? after, count - events.length);
    if (more.length === 0) break;
    events.push(...more);
  }
  return events;
}

const isStored = ({ height }: Subtree): boolean => height >= LEVEL_HEIGHT;

/** Returns the stored hashes of a subtree: its own, or those of the next level below it. */
function runBelow({ height, place }: Subtree): SubtreeRun {
  const level = Math.floor(height / LEVEL_HEIGHT);
  const count = 2 ** (height - level * LEVEL_HEIGHT);
  return { level, place: place * count, count };
}

/** Returns the chunk around a subtree below the stored ones. */
const chunkOf = ({ height, place }: Subtree): number => Math.floor((place * 2 ** height) / CHUNK);
