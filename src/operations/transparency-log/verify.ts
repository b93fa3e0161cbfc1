import {
  type DamagedAmong,
  DamagedFields,
  type DamageFindings,
  type PlacedDamage,
} from './damaged-fields.ts';
import { Examination, type Kept, type Verdict } from './examination.ts';
import { leafOf } from './leaf.ts';
import type { TreeSources } from './log-tree.ts';
import { leafHash } from './merkle.ts';
import { type ErasedSubject, MissingKeys } from './missing-keys.ts';
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

export interface VerifyOptions {
  /** Events per read. */
  page?: number;
  /** Called before each page; the verification ends early when it returns false. */
  mayGoOn?: () => Promise<boolean> | boolean;
  onProgress?: (progress: VerifyProgress) => void;
  erasedSubject?: ErasedSubject | undefined;
  /** Without it, damaged fields are not found. */
  damagedAmong?: DamagedAmong | undefined;
}

/** A verdict about the stored log, with some of the events whose fields cannot be decrypted. */
export interface StoredVerdict extends Verdict {
  damaged: readonly PlacedDamage[];
}

/**
 * Computes the tree from the log, and compares it with checkpoints and with the stored hashes, which narrow
 * down where a difference begins. It ends with the first checkpoint that differs. It also looks for missing
 * and wrong keys of subjects, and for damaged fields.
 * @returns undefined when it ended early
 */
export async function verifyLog(
  { db, store }: TreeSources,
  kept: readonly Kept[],
  options: VerifyOptions = {},
): Promise<StoredVerdict | undefined> {
  const { page = PAGE, mayGoOn = () => true, onProgress, erasedSubject, damagedAmong } = options;
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
  const keys = new MissingKeys(db, erasedSubject);
  const fields = new DamagedFields(damagedAmong);
  while (position < head && examination.problem === undefined) {
    if (!(await mayGoOn())) return undefined;
    const events = await store.readAll(position, page);
    if (events.length === 0) break;
    const subtrees = await storedAt(db, filledBy(examination.size, events.length));
    stored = new Map(subtrees.map((each) => [keyOf(each), each]));
    for (const event of events) {
      position = event.position;
      beginAt(starts, examination.size, position);
      examination.take(leafHash(leafOf(event)), position);
    }
    await keys.take(events);
    await fields.take(events, examination.size - events.length);
    onProgress?.({ position, head, events: examination.size });
  }
  const findings = (): DamageFindings => fields.end((subject) => keys.isErased(subject));
  const verdict = examination.end();
  if (verdict.problem !== undefined) return { ...verdict, damaged: findings().damaged };
  const more = count * CHUNK - verdict.events;
  if (more > 0) {
    const problem = `The log ends after ${verdict.events} events; ${more} more were recorded of it`;
    return { ...verdict, problem, damaged: findings().damaged };
  }
  await takeLaterErasures({ store, keys, position });
  const { damaged, problem } = findings();
  return { ...verdict, damaged, problem: keys.problem() ?? problem };
}

/** Takes erasures that were decided while the log was verified. */
async function takeLaterErasures({
  store,
  keys,
  position,
}: Pick<TreeSources, 'store'> & { keys: MissingKeys; position: bigint }): Promise<void> {
  for (let after = position; ;) {
    const events = await store.readAll(after, PAGE);
    for (const event of events) keys.takeErasure(event);
    const last = events.at(-1);
    if (!last) return;
    after = last.position;
  }
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
