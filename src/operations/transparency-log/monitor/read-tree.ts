import { hash } from 'node:crypto';
import { z } from 'zod';
import { parseOrNothing } from '#kernel/parse-json.ts';
import { TILE_WIDTH, type TileAddress, tilePath, tilesOf } from '#kernel/tile-address.ts';
import { fullRoot } from '../merkle.ts';
import { LogFinding } from './finding.ts';
import { type KnownTree, levelOf } from './known-tree.ts';
import type { LogSource } from './source.ts';

/** Files that are asked for at the same time. */
const AT_ONCE = 4;

/** The public part of an event. */
export interface PublicEntry {
  /** The number of events before it. */
  index: number;
  position: string;
  /** Undefined, as the time, for a blinded event. */
  type?: string | undefined;
  /** ISO 8601. */
  time?: string | null | undefined;
}

const entry = z.strictObject({
  position: z.string().regex(/^\d{1,20}$/),
  type: z.string().max(100).optional(),
  time: z.string().max(40).nullable().optional(),
  leaf: z.string().max(44),
});

/** A tree by the tiles of a server, and in it the hashes of the events after the full tiles of a known tree. */
export interface ServedTree {
  tree: KnownTree;
  beside: readonly Buffer[];
}

/**
 * Returns the tree of `size` events by the tiles of a server.
 * @param known the tree of the last time; unless `all`, its full tiles are not read again
 * @throws LogFinding `tiles` for a missing tile, or entries of other events
 */
export async function readTree(
  source: LogSource,
  size: number,
  { known, all }: { known: KnownTree; all: boolean },
): Promise<ServedTree> {
  const [chunks, entries]: [Buffer[], Buffer[]] = all ? [[], []] : [[...known.chunks], [...known.entries]];
  let edge: readonly Buffer[] = [];
  let beside: readonly Buffer[] = [];
  for await (const { address, leaves, lines } of readTiles(source, size, chunks.length * TILE_WIDTH)) {
    if (address.place === known.chunks.length) beside = leaves;
    if (leaves.length < TILE_WIDTH) edge = leaves;
    else {
      chunks.push(fullRoot(leaves));
      entries.push(hash('sha256', lines.join('\n'), 'buffer'));
    }
  }
  return { tree: { size, chunks, edge, entries }, beside };
}

/**
 * Yields what is public of the events from `from` (counted from 0) up to `size` exclusive, which must be that of a checkpoint.
 * Each belongs to the hash in its tile. @throws LogFinding as `readTree`
 */
export async function* publicEntries(
  source: LogSource,
  size: number,
  from = 0,
): AsyncGenerator<PublicEntry, void, undefined> {
  for await (const { address, lines } of readTiles(source, size, from)) {
    for (const [n, line] of lines.entries()) {
      const index = address.place * TILE_WIDTH + n;
      const { position, type, time } = entry.parse(JSON.parse(line));
      if (index >= from) yield { index, position, type, time };
    }
  }
}

interface ReadTile {
  address: TileAddress;
  leaves: Buffer[];
  lines: string[];
}

async function* readTiles(
  source: LogSource,
  size: number,
  from: number,
): AsyncGenerator<ReadTile, void, undefined> {
  const addresses = tilesOf(0, size, from);
  for (let at = 0; at < addresses.length; at += AT_ONCE) {
    yield* await Promise.all(addresses.slice(at, at + AT_ONCE).map((address) => readTile(source, address)));
  }
}

async function readTile(source: LogSource, address: TileAddress): Promise<ReadTile> {
  const [leaves, lines] = await Promise.all([source.tile(address), source.entries(address)]);
  if (!leaves) throw new LogFinding('tiles', `${stretchOf(address)} have no tile of ${address.width} hashes`);
  if (!lines) throw new LogFinding('tiles', `${stretchOf(address)} have no ${address.width} public entries`);
  for (const [n, line] of lines.entries()) {
    const { data } = entry.safeParse(parseOrNothing(line));
    if (data !== undefined && data.leaf === leaves[n]?.toString('base64')) continue;
    const event = address.place * TILE_WIDTH + n + 1;
    throw new LogFinding('tiles', `The public entry of event ${event} is not that of the event in the tile`);
  }
  return { address, leaves, lines };
}

/** Compares the tiles of the higher levels with those of the lowest one. @throws LogFinding `tiles` */
export async function checkLevels(source: LogSource, { size, chunks }: KnownTree): Promise<void> {
  for (let level = 1; TILE_WIDTH ** level <= size; level += 1) {
    const computed = levelOf(chunks, level);
    for (const address of tilesOf(level, size)) {
      const tile = await source.tile(address);
      const first = address.place * TILE_WIDTH;
      const wrong = tile?.findIndex((each, n) => computed[first + n]?.equals(each) !== true) ?? 0;
      if (wrong < 0) continue;
      const events = TILE_WIDTH ** level;
      const [from, to] = [(first + wrong) * events + 1, (first + wrong + 1) * events];
      throw new LogFinding(
        'tiles',
        `The tile ${tilePath(address)} does not have the hash of the events ${from} to ${to}`,
      );
    }
  }
}

const stretchOf = ({ place, width }: TileAddress): string =>
  `The events ${place * TILE_WIDTH + 1} to ${place * TILE_WIDTH + width}`;
