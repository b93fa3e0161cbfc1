import { type Checkpoint, checkpointText, type NotedCheckpoint, parseCheckpoint } from './checkpoint.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import { isVoidBy, storedDivergences, type TransactionDb } from './divergences.ts';
import { leafOf } from './leaf.ts';
import { logAltered, LogTree, type TreeSources } from './log-tree.ts';
import { leafHash } from './merkle.ts';
import type { NoteSigner } from './note.ts';
import { type CheckpointDigest, newestCheckpoint, storeCheckpoint } from './stored-checkpoints.ts';
import { LEVEL_HEIGHT, type StoredSubtree, storeSubtrees } from './stored-subtrees.ts';

export interface RecordDependencies extends TreeSources {
  db: TransactionDb;
  signer: NoteSigner;
  digestOf: CheckpointDigest;
  /** Where the newest checkpoint is kept outside of the database; undefined for nowhere. */
  file: CheckpointFile | undefined;
  /** The first line of checkpoints, and the name of the key. */
  origin: string;
}

export interface RecordOptions {
  /** Events per read. */
  page?: number;
  /** The maximum of events to add. */
  most?: number;
  /** Called before each page. */
  mayGoOn?: () => Promise<boolean> | boolean;
}

/**
 * Adds new events to the tree, and signs a checkpoint of it. Full chunks are stored page by page; the rest is
 * hashed again each time (255 events at most), so a crash loses no state.
 * @returns the signed checkpoint; undefined when stopped before all events were added
 * @throws RookeryError `conflict` when the log differs from the newest checkpoint: nothing is signed then
 */
export async function record(
  dependencies: RecordDependencies,
  { page = 2_048, most = Infinity, mayGoOn = () => true }: RecordOptions = {},
): Promise<string | undefined> {
  const { db, store } = dependencies;
  const full: StoredSubtree[] = [];
  let position = 0n;
  const tree = new LogTree(dependencies);
  const stored = await tree.stored(({ height, place }, hash) => {
    if (height % LEVEL_HEIGHT > 0) return;
    full.push({ level: height / LEVEL_HEIGHT, place, hash, lastPosition: position });
  });
  const { frontier } = stored;
  position = stored.position;
  const start = frontier.size;
  const head = await store.head();
  if (head < position) throw logAltered();
  while (position < head) {
    if (frontier.size - start >= most || !(await mayGoOn())) return undefined;
    const events = await store.readAll(position, page);
    if (events.length === 0) break;
    for (const event of events) {
      position = event.position;
      frontier.append(leafHash(leafOf(event)));
    }
    await storeSubtrees(db, full.splice(0));
  }
  return sign(dependencies, tree, { size: frontier.size, root: frontier.root(), position });
}

/** @throws RookeryError `conflict` when the log does not have the root of a checkpoint */
export async function assertHolds(
  tree: LogTree,
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
): Promise<void> {
  if (!(await tree.rootAt(size)).equals(root)) throw logAltered();
}

async function sign(
  { db, signer, origin, digestOf, file }: RecordDependencies,
  tree: LogTree,
  { size, root, position }: { size: number; root: Buffer; position: bigint },
): Promise<string> {
  // In this order: a checkpoint is stored before it is in the file, perhaps by another process meanwhile.
  const inFile = await checkpointInFile(db, file);
  const newest = (await newestCheckpoint(db))?.note;
  const earlier = newest === undefined ? undefined : parseCheckpoint(newest);
  // A checkpoint that contradicts an earlier one must never be signed, because it would confirm the change.
  if (earlier) await assertHolds(tree, earlier);
  if (inFile && inFile.note.text !== earlier?.note.text) await assertHolds(tree, inFile);
  // Another process has recorded more meanwhile.
  if (newest !== undefined && earlier && earlier.size > size) return newest;
  if (inFile && inFile.size > size) throw logAltered();
  const note = signer.sign(checkpointText({ origin, size, root }), origin);
  const store = async (): Promise<void> => {
    if (note !== newest) await storeCheckpoint(db, { size, note, position }, digestOf);
    if (file) await keepIn(file, note, newest === undefined);
  };
  await (file ? file.during(store) : store());
  return note;
}

/** A file that is gone is evidence, which only the operator replaces. */
async function keepIn(file: CheckpointFile, note: string, isFirst: boolean): Promise<void> {
  const text = await file.text();
  // The same checkpoint may be there with cosignatures.
  if (text?.startsWith(note) !== true && (isFirst || text !== undefined)) await file.write(note);
}

/** Returns the checkpoint in the file, unless it is void by an accepted divergence. */
export async function checkpointInFile(
  db: TreeSources['db'],
  file: CheckpointFile | undefined,
): Promise<NotedCheckpoint | undefined> {
  const checkpoint = await file?.read();
  if (!checkpoint) return undefined;
  const divergences = await storedDivergences(db);
  return divergences.some((divergence) => isVoidBy(divergence, checkpoint)) ? undefined : checkpoint;
}
