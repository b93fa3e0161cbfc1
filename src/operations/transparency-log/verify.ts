import { Examination, type Kept, type Verdict } from './examination.ts';
import { leafOf } from './leaf.ts';
import type { TreeSources } from './log-tree.ts';
import { leafHash } from './merkle.ts';
import {
  CHUNK,
  LEVEL_HEIGHT,
  storedAt,
  storedChunks,
  type StoredSubtree,
  type SubtreeKey,
} from './stored-subtrees.ts';

const PAGE = 2_048;

/** How far a verification is. */
export interface VerifyProgress {
  position: bigint;
  head: bigint;
  events: number;
}

/**
 * Makes the tree anew from the log and compares it with checkpoints and with the stored hashes, which say more closely where a
 * difference begins. It ends with the first checkpoint that differs.
 */
export async function verifyLog(
  { db, store }: TreeSources,
  kept: readonly Kept[],
  onProgress: (progress: VerifyProgress) => void = () => undefined,
): Promise<Verdict> {
  const { count } = await storedChunks(db);
  const head = await store.head();
  let position = 0n;
  /** Where the subtree of each level began that is not full. */
  const starts: bigint[] = [];
  let stored = new Map<string, StoredSubtree>();
  const examination = new Examination(kept, ({ height, place }, hash) => {
    if (height % LEVEL_HEIGHT > 0) return;
    const level = height / LEVEL_HEIGHT;
    const recorded = stored.get(keyOf({ level, place }));
    // Subtrees that are not recorded yet cannot be compared.
    if (!recorded && place >= Math.floor(count / CHUNK ** (level - 1))) return;
    if (recorded?.hash.equals(hash) === true && recorded.lastPosition === position) return;
    examination.suspect(starts[level] ?? 0n, position);
  });
  while (position < head && examination.problem === undefined) {
    const events = await store.readAll(position, PAGE);
    if (events.length === 0) break;
    const subtrees = await storedAt(db, filledBy(examination.size, events.length));
    stored = new Map(subtrees.map((each) => [keyOf(each), each]));
    for (const event of events) {
      position = event.position;
      beginAt(starts, examination.size, position);
      examination.take(leafHash(leafOf(event)), position);
    }
    onProgress({ position, head, events: examination.size });
  }
  const verdict = examination.end();
  const more = count * CHUNK - verdict.events;
  if (verdict.problem !== undefined || more <= 0) return verdict;
  const problem = `The log ends after ${verdict.events} events; ${more} more were recorded of it`;
  return { ...verdict, problem };
}

const keyOf = ({ level, place }: SubtreeKey): string => `${level}/${place}`;

/** A tree with a full subtree of a higher level would have more leaves than numbers can count. */
const HIGHEST_LEVEL = 6;
const LEVELS = Array.from({ length: HIGHEST_LEVEL }, (_, index) => index + 1);

/** The subtrees that so many more leaves fill. */
const filledBy = (size: number, more: number): SubtreeKey[] =>
  LEVELS.flatMap((level) => {
    const first = Math.floor(size / CHUNK ** level);
    const length = Math.floor((size + more) / CHUNK ** level) - first;
    return Array.from({ length }, (_, index) => ({ level, place: first + index }));
  });

/** Notes where the subtrees begin that have their first leaf here. */
function beginAt(starts: bigint[], leaf: number, position: bigint): void {
  for (const level of LEVELS) {
    if (leaf % CHUNK ** level > 0) return;
    starts[level] = position;
  }
}
