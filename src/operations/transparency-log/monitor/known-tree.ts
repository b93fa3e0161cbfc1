import { TILE_WIDTH } from '#kernel/tile-address.ts';
import { Frontier, fullRoot } from '../merkle.ts';
import { LEVEL_HEIGHT } from '../stored-subtrees.ts';

/** The part of a tree that is kept between two looks: a hash for 256 events, and those of the last events singly. */
export interface KnownTree {
  size: number;
  /** One for each full tile of the lowest level. */
  chunks: readonly Buffer[];
  /** The hashes of the events after the last full tile. */
  edge: readonly Buffer[];
  /** The digest of what is public of the events of each full tile. */
  entries: readonly Buffer[];
}

export const NO_TREE: KnownTree = { size: 0, chunks: [], edge: [], entries: [] };

export function rootOfKnown({ chunks, edge }: Pick<KnownTree, 'chunks' | 'edge'>): Buffer {
  const frontier = new Frontier();
  for (const chunk of chunks) frontier.append(chunk, LEVEL_HEIGHT);
  for (const leaf of edge) frontier.append(leaf);
  return frontier.root();
}

/** Returns the hashes of a level, made from the full tiles of the lowest one. Level 1 has these tiles' own hashes. */
export function levelOf(chunks: readonly Buffer[], level: number): readonly Buffer[] {
  if (level <= 1) return chunks;
  const below = levelOf(chunks, level - 1);
  return Array.from({ length: Math.floor(below.length / TILE_WIDTH) }, (_, n) =>
    fullRoot(below.slice(n * TILE_WIDTH, (n + 1) * TILE_WIDTH)),
  );
}

/** Events counted from 1, both inclusive. */
export interface Stretch {
  from: number;
  to: number;
}

/**
 * Returns the stretch in which a tree differs from a known one, as far as both go; undefined where it does not.
 * @param beside the hashes of events after the known full tiles, as the tree has them
 */
export function differenceBetween(
  known: KnownTree,
  tree: KnownTree,
  beside: readonly Buffer[],
): Stretch | undefined {
  const size = Math.min(known.size, tree.size);
  const full = Math.floor(size / TILE_WIDTH);
  const differing: Stretch[] = [];
  for (let place = 0; place < full; place += 1) {
    if (isSame(known.chunks[place], tree.chunks[place])) continue;
    differing.push({ from: place * TILE_WIDTH + 1, to: (place + 1) * TILE_WIDTH });
  }
  const singly = known.chunks.length === full ? size % TILE_WIDTH : 0;
  for (let n = 0; n < singly; n += 1) {
    const event = full * TILE_WIDTH + n + 1;
    if (!isSame(known.edge[n], beside[n])) differing.push({ from: event, to: event });
  }
  const [first, last] = [differing[0], differing.at(-1)];
  return first && last && { from: first.from, to: last.to };
}

const isSame = (one: Buffer | undefined, other: Buffer | undefined): boolean =>
  one !== undefined && other !== undefined && one.equals(other);
