import { altered } from '#kernel/altered.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import type {
  CheckpointVerdict,
  ConsistencyEvidence,
  ConsistencyProof,
  EventProof,
  InclusionProof,
  SignedCheckpoint,
  TransparencyLogService,
} from '#kernel/services/transparency-log.ts';
import type { TileAddress } from '#kernel/tile-address.ts';
import {
  acceptDivergence,
  type AcceptedDivergence,
  type Contradiction,
  contradictionOf,
} from './accept-divergence.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { checkpointDigest } from './checkpoint-digest.ts';
import { CheckpointFile, missingFile } from './checkpoint-file.ts';
import { type Divergence, type NotedDivergence, storedDivergences } from './divergences.ts';
import {
  compareKept,
  consistencyEvidence,
  eventProofs,
  type EvidenceSources,
  signedCheckpoints,
} from './evidence.ts';
import { exportLog, type ExportOptions } from './export.ts';
import { idle } from './idle.ts';
import type { KeptFile, LogVerdict } from './kept.ts';
import { leafOf } from './leaf.ts';
import { logAltered, LogTree } from './log-tree.ts';
import { consistencyRanges, inclusionRanges, leafHash } from './merkle.ts';
import { type NoteSigner, noteSigner, noteVerifier } from './note.ts';
import { assertHolds, record, type RecordDependencies } from './record.ts';
import { checkpointAt, newestCheckpoint } from './stored-checkpoints.ts';
import { cosignedCheckpoints, withCosignatures } from './stored-cosignatures.ts';
import { storedChunks } from './stored-subtrees.ts';
import { type StoredVerification, storedVerification } from './stored-verification.ts';
import { contradictingWitness } from './stored-witnesses.ts';
import { fillTiles } from './tiles/fill.ts';
import type { PublicEvent } from './tiles/public-entry.ts';
import { publishedCheckpoint, tileEntries, tileHashes } from './tiles/stored-tiles.ts';
import { type VerificationOptions, Verifications } from './verifications.ts';
import type { VerifyProgress } from './verify.ts';

export { parseCheckpoint, parseCheckpoints } from './checkpoint.ts';
export { exportedEvents } from './exported-events.ts';
export { parsePolicy, type Policy, type PolicyVerdict } from './policy.ts';
export { newestCheckpoint } from './stored-checkpoints.ts';
export { Witness } from './witness.ts';
export { Witnesses } from './witnesses.ts';
export type { WitnessOutcome } from './stored-witnesses.ts';
export type { Divergence } from './divergences.ts';
export type { Compared } from './examination.ts';
export { checkpointOfExport } from './verify-export.ts';
export { verifyFile, type KeptFile, type LogVerdict as Verdict } from './kept.ts';
export type { VerifyProgress } from './verify.ts';

/** Events per read beside other work: each page blocks the process for some milliseconds. */
const SMALL_PAGE = 256;
/** Milliseconds. */
const LOOK_EVERY = 60_000;
/** The maximum of events to record when the process stops. */
const LAST_EVENTS = 4_096;

export interface TransparencyLogDependencies
  extends Omit<RecordDependencies, 'signer' | 'digestOf' | 'file'>, VerificationOptions {
  /** The seed of the Ed25519 key that signs checkpoints: 32 bytes. */
  seed: Buffer;
  /** The path of the file that has the newest checkpoint; undefined for none. */
  checkpointFile?: string;
  /** Tells whether the public may know type and time of an event; without it, they may of none. */
  isPublic?: PublicEvent;
}

/** Returns the public key of `seed` (32 bytes, Ed25519) in the form that auditors keep. */
export const verifierKeyOf = (seed: Buffer, origin: string): string =>
  noteVerifier(origin, noteSigner(seed).publicKey).key;

/** The log as a Merkle tree with signed checkpoints. `leaf.ts` defines the hashed part of an event. */
export class TransparencyLog implements TransparencyLogService {
  readonly #dependencies: RecordDependencies;
  readonly #signer: NoteSigner;
  readonly #tree: LogTree;
  readonly #verifications: Verifications;
  readonly #isPublic: PublicEvent | undefined;
  #stopping = new AbortController();
  /** By `performance.now()`. */
  #unalteredUntil = 0;

  constructor(options: TransparencyLogDependencies) {
    const { seed, checkpointFile, isPublic, ...others } = options;
    const { verifyHours, erasedSubject, damagedAmong, onDamage, onProblem, ...sources } = others;
    this.#signer = noteSigner(seed);
    this.#isPublic = isPublic;
    this.#dependencies = {
      ...sources,
      signer: this.#signer,
      digestOf: checkpointDigest(seed),
      file: checkpointFile === undefined ? undefined : new CheckpointFile(checkpointFile),
    };
    this.#tree = new LogTree(sources);
    const verifying = { verifyHours, erasedSubject, damagedAmong, onDamage, onProblem };
    this.#verifications = new Verifications(this.#dependencies, verifying);
  }

  get verifierKey(): string {
    return noteVerifier(this.#dependencies.origin, this.#signer.publicKey).key;
  }

  /** Signs a text, which ends with a newline, under the name of its first line. */
  readonly sign: NoteSigner['sign'] = (text, name) => this.#signer.sign(text, name);

  /** Records all present events, and signs a checkpoint of them. @throws RookeryError as `record` */
  async record(): Promise<string> {
    const recorded = await record(this.#dependencies);
    await this.#fillTiles();
    return recorded === undefined ? this.newest() : this.#cosigned(recorded);
  }

  async recordWhenIdle(): Promise<void> {
    const { signal } = this.#stopping;
    const started = performance.now();
    const mayGoOn = (): Promise<boolean> => idle(started, signal);
    await record(this.#dependencies, { page: SMALL_PAGE, mayGoOn });
    await this.#fillTiles(mayGoOn);
  }

  #fillTiles(mayGoOn?: () => Promise<boolean>): Promise<void> {
    return fillTiles({ ...this.#dependencies, isPublic: this.#isPublic }, mayGoOn);
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
    return this.#cosigned(newest.note);
  }

  /** Returns the newest checkpoints that witnesses cosigned, the newest first. */
  cosigned(limit: number): Promise<string[]> {
    return cosignedCheckpoints(this.#dependencies.db, limit);
  }

  async #cosigned(note: string): Promise<string> {
    const [cosigned = note] = await withCosignatures(this.#dependencies.db, [note]);
    return cosigned;
  }

  async published(): Promise<string> {
    const note = await publishedCheckpoint(this.#dependencies.db);
    if (note === undefined) throw new RookeryError('not_found', 'There is no checkpoint yet');
    return this.#cosigned(note);
  }

  tile(address: TileAddress): Promise<Buffer | undefined> {
    return tileHashes(this.#dependencies.db, address);
  }

  publicEntries(address: Pick<TileAddress, 'place' | 'width'>): Promise<string | undefined> {
    return tileEntries(this.#dependencies.db, address);
  }

  /**
   * Asserts that the log still has the root of the newest checkpoint, if any, and that neither the last
   * verification of the whole log nor a witness found a fault. It checks at most once a minute while that is
   * so.
   * @throws RookeryError `conflict` otherwise
   */
  async assertUnaltered(): Promise<void> {
    if (performance.now() < this.#unalteredUntil) return;
    const { db, store } = this.#dependencies;
    const [newest, { lastPosition }, verification, witness] = await Promise.all([
      newestCheckpoint(db),
      storedChunks(db),
      storedVerification(db),
      contradictingWitness(db),
    ]);
    if ((await store.head()) < lastPosition) throw logAltered();
    if (newest) await assertHolds(this.#tree, parseCheckpoint(newest.note));
    const problem = verification?.problem ?? witness;
    if (problem !== undefined) throw altered(problem);
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
    const newest = parseCheckpoint(await this.newest()).size;
    const newer = to ?? newest;
    if (from < 1 || from > newer || newer > newest) {
      throw invalid(`Sizes of trees must be from 1 to ${newest}, the older one first`);
    }
    return {
      from,
      to: newer,
      hashes: await this.#texts(consistencyRanges(from, newer)),
      checkpoint: (await this.#at(newer)) ?? null,
    };
  }

  async #at(size: number): Promise<string | undefined> {
    const note = await checkpointAt(this.#dependencies.db, size);
    return note === undefined ? undefined : this.#cosigned(note);
  }

  async eventProofs(positions: readonly bigint[]): Promise<EventProof[]> {
    return eventProofs(this.#evidence, positions, await this.newest());
  }

  async consistencyEvidence(from: number): Promise<ConsistencyEvidence> {
    return consistencyEvidence(this.#evidence, from, await this.newest());
  }

  checkpoints(below: number, limit: number): Promise<SignedCheckpoint[]> {
    return signedCheckpoints(this.#dependencies.db, below, limit);
  }

  async compareKept(text: string): Promise<CheckpointVerdict[]> {
    return compareKept(this.#evidence, text, await this.newest());
  }

  get #evidence(): EvidenceSources {
    return { sources: this.#dependencies, tree: this.#tree, publicKey: this.#signer.publicKey };
  }

  /**
   * Yields the lines of an export, for a new checkpoint unless one is given. @throws RookeryError as
   * `exportLog`
   */
  async *export({ checkpoint, ...range }: Partial<ExportOptions>): AsyncGenerator<string, void, undefined> {
    const newest = await this.record();
    const divergences = (await this.divergences()).map(({ text }) => text);
    yield* exportLog(this.#dependencies, { ...range, checkpoint: checkpoint ?? newest, divergences });
  }

  /** @throws RookeryError as `Verifications.verify` */
  async verify(
    kept: readonly KeptFile[],
    key: string | undefined,
    onProgress?: (progress: VerifyProgress) => void,
  ): Promise<LogVerdict> {
    const verdict = await this.#verifications.verify({ kept, key }, onProgress ? { onProgress } : {});
    if (!verdict) throw new Error('The verification was interrupted');
    this.#unalteredUntil = 0;
    return verdict;
  }

  /** Verifies the whole log in small pages while the process is idle, if the last time is long ago. */
  async verifyWhenDue(): Promise<void> {
    const { signal } = this.#stopping;
    const started = performance.now();
    await this.#verifications.verifyWhenDue({ page: SMALL_PAGE, mayGoOn: () => idle(started, signal) });
    this.#unalteredUntil = 0;
  }

  /** Returns the result of the last verification of the whole log; undefined before the first. */
  verification(): Promise<StoredVerification | undefined> {
    return this.#verifications.last();
  }

  /** Returns the accepted divergences, the first one first. */
  divergences(): Promise<NotedDivergence[]> {
    return storedDivergences(this.#dependencies.db);
  }

  /**
   * Returns what the log contradicts, and writes nothing.
   * @throws RookeryError `conflict` when it contradicts nothing, `invalid` for another checkpoint than the first
   */
  contradictionOf(asked: AcceptedDivergence): Promise<Contradiction> {
    return contradictionOf(this.#dependencies, asked);
  }

  /** Accepts the log as it is, although it contradicts a checkpoint, and signs a checkpoint of it. */
  async acceptDivergence(asked: AcceptedDivergence, contradiction: Contradiction): Promise<Divergence> {
    const divergence = await acceptDivergence(this.#dependencies, asked, contradiction);
    this.#unalteredUntil = 0;
    await this.record();
    return divergence;
  }

  /** Forgets the checkpoint in the file, because the operator gave up the end of the log. */
  async forgetCheckpointFile(): Promise<void> {
    await this.#dependencies.file?.remove();
  }

  /** Writes the newest checkpoint to the file, also where the file is gone. */
  async renewCheckpointFile(): Promise<void> {
    const { db, file } = this.#dependencies;
    const newest = await newestCheckpoint(db);
    if (newest) await file?.write(await this.#cosigned(newest.note));
  }

  /** Adds new cosignatures to the file, where it has the newest checkpoint. */
  async publishCosignatures(): Promise<void> {
    const { db, file } = this.#dependencies;
    const [newest, text] = await Promise.all([newestCheckpoint(db), file?.text()]);
    if (newest && text?.startsWith(newest.note) === true) await this.renewCheckpointFile();
  }

  /** Returns a fault of the file with the newest checkpoint, or undefined. */
  fileProblem(): Promise<string | undefined> {
    return missingFile(this.#dependencies.db, this.#dependencies.file);
  }

  async #texts(ranges: Parameters<LogTree['rangeHashes']>[0]): Promise<string[]> {
    return (await this.#tree.rangeHashes(ranges)).map((each) => each.toString('base64'));
  }
}
