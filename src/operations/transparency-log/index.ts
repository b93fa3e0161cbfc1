import { invalid, RookeryError } from '../../kernel/errors.ts';
import type {
  ConsistencyProof,
  InclusionProof,
  TransparencyLogService,
} from '../../kernel/services/transparency-log.ts';
import { parseCheckpoint, parseCheckpoints } from './checkpoint.ts';
import type { Kept, Verdict } from './examination.ts';
import { exportLog, verifyExport, type ExportOptions } from './export.ts';
import { idle } from './idle.ts';
import { leafOf } from './leaf.ts';
import { LogTree, logAltered } from './log-tree.ts';
import { consistencyRanges, inclusionRanges, leafHash } from './merkle.ts';
import { noteSigner, noteVerifier, parseVerifierKey, type Note, type NoteSigner } from './note.ts';
import { assertHolds, record, type RecordDependencies } from './record.ts';
import { checkpointAt, newestCheckpoint, storedCheckpoints } from './stored-checkpoints.ts';
import { storedChunks } from './stored-subtrees.ts';
import { verifyLog, type VerifyProgress } from './verify.ts';

export { newestCheckpoint } from './stored-checkpoints.ts';
export type { Verdict } from './examination.ts';
export type { VerifyProgress } from './verify.ts';

/** Events per read beside other work: each page blocks the process for some milliseconds. */
const SMALL_PAGE = 256;
/** Milliseconds. */
const LOOK_EVERY = 60_000;
/** The maximum of events to record when the process stops. */
const LAST_EVENTS = 4_096;

export interface TransparencyLogDependencies extends Omit<RecordDependencies, 'signer'> {
  /** The seed of the Ed25519 key that signs checkpoints: 32 bytes. */
  seed: Buffer;
}

/** A checkpoint in a file of an auditor. */
export interface KeptFile {
  name: string;
  text: string;
}

/** Returns the public key of `seed` (32 bytes, Ed25519) in the form that auditors keep. */
export const verifierKeyOf = (seed: Buffer, origin: string): string =>
  noteVerifier(origin, noteSigner(seed).publicKey).key;

/** The log as a Merkle tree with signed checkpoints. `leaf.ts` defines the hashed part of an event. */
export class TransparencyLog implements TransparencyLogService {
  readonly #dependencies: RecordDependencies;
  readonly #signer: NoteSigner;
  readonly #tree: LogTree;
  #stopping = new AbortController();
  /** By `performance.now()`. */
  #unalteredUntil = 0;

  constructor({ seed, ...dependencies }: TransparencyLogDependencies) {
    this.#signer = noteSigner(seed);
    this.#dependencies = { ...dependencies, signer: this.#signer };
    this.#tree = new LogTree(dependencies);
  }

  get verifierKey(): string {
    return noteVerifier(this.#dependencies.origin, this.#signer.publicKey).key;
  }

  /** Records all present events, and signs a checkpoint of them. @throws RookeryError as `record` */
  async record(): Promise<string> {
    return (await record(this.#dependencies)) ?? (await this.newest());
  }

  async recordWhenIdle(): Promise<void> {
    const { signal } = this.#stopping;
    const started = performance.now();
    await record(this.#dependencies, { page: SMALL_PAGE, mayGoOn: () => idle(started, signal) });
  }

  /** Ends a running `recordWhenIdle`. */
  interrupt(): void {
    this.#stopping.abort();
    this.#stopping = new AbortController();
  }

  /** Records a small rest before the process stops. */
  async recordLast(): Promise<void> {
    await record(this.#dependencies, { most: LAST_EVENTS });
  }

  async newest(): Promise<string> {
    const newest = await newestCheckpoint(this.#dependencies.db);
    if (!newest) throw new RookeryError('not_found', 'There is no checkpoint yet');
    return newest.note;
  }

  /**
   * Asserts that the log still has the root of the newest checkpoint, if any. It checks at most once a minute
   * while that is so.
   * @throws RookeryError `conflict` when the root differs
   */
  async assertUnaltered(): Promise<void> {
    if (performance.now() < this.#unalteredUntil) return;
    const { db, store } = this.#dependencies;
    const [newest, { lastPosition }] = await Promise.all([newestCheckpoint(db), storedChunks(db)]);
    if ((await store.head()) < lastPosition) throw logAltered();
    if (newest) await assertHolds(this.#tree, parseCheckpoint(newest.note));
    this.#unalteredUntil = performance.now() + LOOK_EVERY;
  }

  async proveInclusion(position: bigint): Promise<InclusionProof> {
    return (await this.proveEvent(position)).proof;
  }

  /**
   * Also returns the hashed form of the event, which is not public. @throws RookeryError as `proveInclusion`
   */
  async proveEvent(position: bigint): Promise<{ leaf: string; proof: InclusionProof }> {
    const checkpoint = await this.newest();
    const { size } = parseCheckpoint(checkpoint);
    const found = await this.#tree.find(position);
    if (!found) throw await this.#nothingAt(position);
    if (found.index >= size) throw new RookeryError('not_found', 'No checkpoint covers this event yet');
    const leaf = leafOf(found.event);
    const proof = {
      position: String(position),
      leaf_index: found.index,
      tree_size: size,
      leaf_hash: leafHash(leaf).toString('base64'),
      hashes: await this.#texts(inclusionRanges(found.index, size)),
      checkpoint,
    };
    return { leaf, proof };
  }

  /** Returns an error that names the positions that exist. */
  async #nothingAt(position: bigint): Promise<RookeryError> {
    const head = await this.#dependencies.store.head();
    const which = position > head ? `it ends at ${head}` : 'its positions begin at 1';
    return new RookeryError('not_found', `The log has no event at position ${position}: ${which}`);
  }

  async proveConsistency(from: number, to?: number): Promise<ConsistencyProof> {
    const { db } = this.#dependencies;
    const newest = parseCheckpoint(await this.newest()).size;
    const newer = to ?? newest;
    if (from < 1 || from > newer || newer > newest) {
      throw invalid(`Sizes of trees must be from 1 to ${newest}, the older one first`);
    }
    return {
      from,
      to: newer,
      hashes: await this.#texts(consistencyRanges(from, newer)),
      checkpoint: (await checkpointAt(db, newer)) ?? null,
    };
  }

  /**
   * Yields the lines of an export, for a new checkpoint unless one is given. @throws RookeryError as
   * `exportLog`
   */
  async *export({ checkpoint, ...range }: Partial<ExportOptions>): AsyncGenerator<string, void, undefined> {
    const newest = await this.record();
    yield* exportLog(this.#dependencies, { ...range, checkpoint: checkpoint ?? newest });
  }

  /**
   * Compares the log with all stored checkpoints and the kept ones. All must be signed by this server; the
   * kept ones by `key`, if given.
   * @throws RookeryError `invalid` for text that is no checkpoint or has another signature
   */
  async verify(
    kept: readonly KeptFile[],
    key: string | undefined,
    onProgress?: (progress: VerifyProgress) => void,
  ): Promise<Verdict> {
    // Also without kept checkpoints: a wrong key that was ignored would seem to have been used.
    if (key !== undefined) parseVerifierKey(key);
    const stored = await storedCheckpoints(this.#dependencies.db);
    const checkpoints = [
      ...stored.flatMap(({ note, madeAt }) => this.#ownCheckpoints({ name: `stored ${madeAt}`, text: note })),
      ...kept.flatMap((file) => (key === undefined ? this.#ownCheckpoints(file) : keptIn(file, key))),
    ];
    if (checkpoints.length === 0)
      throw new RookeryError('not_found', 'There is no checkpoint to compare with');
    return verifyLog(this.#dependencies, checkpoints, onProgress);
  }

  /** The domain may have been another one. */
  #ownCheckpoints(file: KeptFile): Kept[] {
    return signedBy(file, ({ text }) => noteVerifier(text.split('\n', 1)[0] ?? '', this.#signer.publicKey));
  }

  async #texts(ranges: Parameters<LogTree['rangeHashes']>[0]): Promise<string[]> {
    return (await this.#tree.rangeHashes(ranges)).map((each) => each.toString('base64'));
  }
}

/**
 * Verifies a file that `export` wrote, or plain lines of a whole log, without a database.
 * @throws RookeryError `invalid` for text that is no export or no checkpoint, or is not signed by the key
 */
export const verifyFile = (path: string, kept: readonly KeptFile[], key: string): Promise<Verdict> =>
  verifyExport(
    path,
    kept.flatMap((file) => keptIn(file, key)),
    (text) => void keptIn({ name: 'the export', text }, key),
  );

function keptIn(file: KeptFile, key: string): Kept[] {
  const verifier = parseVerifierKey(key);
  return signedBy(file, () => verifier);
}

function signedBy(
  { name, text }: KeptFile,
  verifierOf: (note: Note) => ReturnType<typeof noteVerifier>,
): Kept[] {
  const checkpoints = parseCheckpoints(text);
  if (checkpoints.length === 0) throw invalid(`There is no checkpoint (${name})`);
  return checkpoints.map(({ size, root, note }) => {
    if (!verifierOf(note).verifies(note)) {
      throw invalid(`The checkpoint of ${size} events (${name}) is not signed by the key of this log`);
    }
    return { size, root, source: name };
  });
}
