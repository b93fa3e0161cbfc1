import type { StoredEvent } from '#storage/eventlog/port.ts';
import { type Checkpoint, parseCheckpoint } from '../checkpoint.ts';
import { leafOf } from '../leaf.ts';
import { eventsAfter, logAltered, LogTree, type TreeSources } from '../log-tree.ts';
import { fullRoot, leafHash } from '../merkle.ts';
import { newestCheckpoint } from '../stored-checkpoints.ts';
import { CHUNK, storedAt } from '../stored-subtrees.ts';
import { type PublicEvent, publicLine } from './public-entry.ts';
import { coveredByTiles, fullTiles, type StoredTile, storeTile } from './stored-tiles.ts';

export interface FillDependencies extends TreeSources {
  /** Tells whether the type and the time of an event are public. */
  isPublic?: PublicEvent | undefined;
}

/**
 * Stores the tiles of the newest checkpoint that are not stored yet, one statement for 256 events; the tiles of an old log are
 * filled in the same way. Each tile is compared with the recorded tree before it is stored.
 * @param mayGoOn called before each tile; nothing more is done after false
 * @throws RookeryError `conflict` when the events are not those of the tree
 */
export async function fillTiles(
  dependencies: FillDependencies,
  mayGoOn: () => Promise<boolean> | boolean = () => true,
): Promise<void> {
  const { db, store } = dependencies;
  const newest = await newestCheckpoint(db);
  if (!newest) return;
  const checkpoint = parseCheckpoint(newest.note);
  if ((await coveredByTiles(db)) >= checkpoint.size) return;
  const { count, lastPosition } = await fullTiles(db);
  let position = lastPosition;
  for (let place = count; place * CHUNK < checkpoint.size; place += 1) {
    if (!(await mayGoOn())) return;
    const width = Math.min(CHUNK, checkpoint.size - place * CHUNK);
    const events = await eventsAfter(store, position, width);
    if (events.length < width) throw logAltered();
    const tile = tileOf(place, events, dependencies.isPublic);
    if (!(await isInTree(dependencies, tile, checkpoint))) return;
    await storeTile(db, tile);
    position = tile.lastPosition;
  }
}

function tileOf(
  place: number,
  events: readonly StoredEvent[],
  isPublic: PublicEvent = () => false,
): StoredTile {
  return {
    place,
    width: events.length,
    hashes: Buffer.concat(events.map((event) => leafHash(leafOf(event)))),
    entries: events.map((event) => publicLine(event, isPublic)).join('\n'),
    lastPosition: events.at(-1)?.position ?? 0n,
  };
}

/** Returns false when another process has recorded more meanwhile. @throws RookeryError `conflict` for other hashes */
async function isInTree(
  sources: FillDependencies,
  { place, width, hashes }: StoredTile,
  { size, root }: Checkpoint,
): Promise<boolean> {
  const leaves = Array.from({ length: width }, (_, n) => hashes.subarray(n * 32, (n + 1) * 32));
  if (width === CHUNK) {
    const [recorded] = await storedAt(sources.db, [{ level: 1, place }]);
    if (recorded && !recorded.hash.equals(fullRoot(leaves))) throw logAltered();
    return recorded !== undefined;
  }
  const { frontier } = await new LogTree(sources).stored(() => undefined);
  if (frontier.size !== place * CHUNK) return false;
  for (const leaf of leaves) frontier.append(leaf);
  if (frontier.size !== size || !frontier.root().equals(root)) throw logAltered();
  return true;
}
