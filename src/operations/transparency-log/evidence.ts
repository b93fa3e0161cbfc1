import { invalid, RookeryError } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import type {
  CheckpointVerdict,
  ConsistencyEvidence,
  EventProof,
  SignedCheckpoint,
} from '#kernel/services/transparency-log.ts';
import { isConsistent, rootOfInclusion } from './check-proof.ts';
import { type NotedCheckpoint, parseCheckpoint, parseCheckpoints } from './checkpoint.ts';
import { isVoidBy, storedDivergences } from './divergences.ts';
import { besideOne, exportOne } from './export.ts';
import { ownVerifier } from './kept.ts';
import { leafOf } from './leaf.ts';
import type { LogTree, TreeSources } from './log-tree.ts';
import { consistencyRanges, inclusionRanges, leafHash, type LeafRange } from './merkle.ts';
import { checkpointAt, checkpointsBelow, publishedSizes } from './stored-checkpoints.ts';
import { withCosignatures } from './stored-cosignatures.ts';

/** The most checkpoints of one comparison: each needs some hundred events. */
const MAX_KEPT = 20;
/** The most published checkpoints that the file of one event proves. */
const MAX_PROVED = 32;

/** The sources of proofs. */
export interface EvidenceSources {
  sources: TreeSources;
  tree: LogTree;
  /** 32 bytes. */
  publicKey: Buffer;
}

/**
 * Proves that events are in a checkpoint, each with its hashed form, and with an export that `log verify` takes. Leaves out events
 * that the log lacks, or that the checkpoint does not cover. It costs as many statements as one proof.
 */
export async function eventProofs(
  { sources: { db }, tree, publicKey }: EvidenceSources,
  positions: readonly bigint[],
  checkpoint: string,
): Promise<EventProof[]> {
  const noted = parseCheckpoint(checkpoint);
  const { size } = noted;
  const covered = (await tree.findAll(positions)).filter(({ index }) => index < size);
  if (covered.length === 0) return [];
  const published = (await publishedSizes(db, MAX_PROVED)).filter((each) => each < size);
  const wanted = covered.map(({ index, event }) => ({
    index,
    leaf: leafOf(event),
    position: event.position,
    inclusion: inclusionRanges(index, size),
    beside: besideOne(index, size, published),
  }));
  const all = await tree.rangeHashes(wanted.flatMap(({ inclusion, beside }) => [...inclusion, ...beside]));
  let done = 0;
  const next = ({ length }: readonly LeafRange[]): Buffer[] => all.slice(done, (done += length));
  const signed = isSigned(noted, publicKey);
  return wanted.map(({ index, leaf, position, inclusion, beside }) => {
    const hashes = next(inclusion);
    const root = rootOfInclusion(leafHash(leaf), { index, size, hashes });
    return {
      leaf,
      proof: {
        position: String(position),
        leaf_index: index,
        tree_size: size,
        leaf_hash: leafHash(leaf).toString('base64'),
        hashes: hashes.map(base64),
        checkpoint,
      },
      holds: root?.equals(noted.root) === true,
      signed,
      file: exportOne(leaf, { index, checkpoint, beside: next(beside), published }),
    };
  });
}

/** Proves that the newest checkpoint continues the stored one of `from` events. @throws RookeryError `not_found` */
export async function consistencyEvidence(
  { sources: { db }, tree, publicKey }: EvidenceSources,
  from: number,
  newest: string,
): Promise<ConsistencyEvidence> {
  const bare = await checkpointAt(db, from);
  const [checkpoint] = await withCosignatures(db, bare === undefined ? [] : [bare]);
  const newer = parseCheckpoint(newest);
  if (checkpoint === undefined || from > newer.size) {
    throw new RookeryError('not_found', 'There is no stored checkpoint of so many events');
  }
  const older = parseCheckpoint(checkpoint);
  const hashes = from < 1 ? [] : await tree.rangeHashes(consistencyRanges(from, newer.size));
  return {
    from,
    to: newer.size,
    hashes: hashes.map(base64),
    checkpoint,
    newest,
    holds: from < 1 || isConsistent({ from, to: newer.size, hashes }, older.root, newer.root),
    signed: isSigned(older, publicKey) && isSigned(newer, publicKey),
  };
}

/** Returns stored checkpoints below a size, the largest first, one of each size. */
export async function signedCheckpoints(db: Db, below: number, limit: number): Promise<SignedCheckpoint[]> {
  const stored = await checkpointsBelow(db, below, limit);
  const notes = await withCosignatures(
    db,
    stored.map(({ note }) => note),
  );
  return stored.map(({ note: bare, madeAt, divergence }, index) => {
    const note = notes[index] ?? bare;
    const { origin, size, root } = parseCheckpoint(bare);
    return { origin, size, root: base64(root), note, madeAt, divergence: divergence ?? null };
  });
}

/**
 * Compares kept checkpoints with the log as it is. `newest` is the newest checkpoint.
 * @throws RookeryError `invalid` for text that is no checkpoint, and for too many of them
 */
export async function compareKept(
  { sources: { db }, tree, publicKey }: EvidenceSources,
  text: string,
  newest: string,
): Promise<CheckpointVerdict[]> {
  const kept = parseCheckpoints(text);
  if (kept.length === 0) throw invalid('That is no checkpoint: a signed note with origin, size and root');
  if (kept.length > MAX_KEPT) throw invalid(`Compare at most ${MAX_KEPT} checkpoints at a time`);
  const [{ size: covered }, divergences] = [parseCheckpoint(newest), await storedDivergences(db)];
  const sizes = [...new Set(kept.map(({ size }) => size).filter((size) => size <= covered))];
  const found = await tree.rangeHashes(sizes.map((size): LeafRange => [0, size]));
  const roots = new Map(sizes.map((size, index) => [size, found[index]]));
  return kept.map((each) => {
    const { origin, size, root } = each;
    const there = roots.get(size);
    const agrees = there?.equals(root) === true;
    const accepted = divergences.find((divergence) => isVoidBy(divergence, { size }));
    return {
      origin,
      size,
      root: base64(root),
      signed: isSigned(each, publicKey),
      log_root: there ? base64(there) : null,
      verdict: !there ? 'ahead' : agrees ? 'contained' : 'contradicted',
      divergence: !agrees && accepted ? accepted.number : null,
    };
  });
}

const base64 = (bytes: Buffer): string => bytes.toString('base64');

const isSigned = ({ note }: NotedCheckpoint, publicKey: Buffer): boolean =>
  ownVerifier(note, publicKey).verifies(note);
