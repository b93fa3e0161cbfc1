/**
 * The log as a Merkle tree (RFC 9162) with signed checkpoints, by which auditors see that nothing was changed afterwards. Hashes in
 * base64.
 */
export interface TransparencyLogService {
  /** Checks our signatures: https://c2sp.org/signed-note */
  readonly verifierKey: string;
  /**
   * Takes in what was appended since the last time while this process has little else to do, and signs a checkpoint.
   * @throws RookeryError `conflict` when the log is not what the newest checkpoint says
   */
  recordWhenIdle(): Promise<void>;
  /** Verifies the whole log while the process is idle, if the last time is longer ago than the settings allow. */
  verifyWhenDue(): Promise<void>;
  /** The signed notes of accepted divergences, the first one first. */
  divergences(): Promise<readonly { text: string }[]>;
  /** The newest checkpoint, with the cosignatures that there are: https://c2sp.org/tlog-checkpoint @throws RookeryError `not_found` before the first */
  newest(): Promise<string>;
  /** The newest checkpoints that witnesses cosigned, the newest first. */
  cosigned(limit: number): Promise<string[]>;
  /** The newest checkpoint whose tiles are all stored. @throws RookeryError `not_found` before the first */
  published(): Promise<string>;
  /** @throws RookeryError `not_found` where there is no event, or none that a checkpoint covers */
  proveInclusion(position: bigint): Promise<InclusionProof>;
  /** That the tree of `to` events, the newest unless given, begins with that of `from`. @throws RookeryError `invalid` */
  proveConsistency(from: number, to?: number): Promise<ConsistencyProof>;
  /**
   * The proofs of events in the newest checkpoint, also with their hashed forms, which are not public; without events that the log
   * lacks or that it does not cover. @throws RookeryError `not_found` before the first checkpoint
   */
  eventProofs(positions: readonly bigint[]): Promise<EventProof[]>;
  /** That the newest checkpoint continues the stored one of `from` events. @throws RookeryError `not_found` */
  consistencyEvidence(from: number): Promise<ConsistencyEvidence>;
  /** The stored checkpoints of fewer than `below` events, the largest first. */
  checkpoints(below: number, limit: number): Promise<SignedCheckpoint[]>;
  /** Whether the log still contains kept checkpoints. @throws RookeryError `invalid` for other text, `not_found` before the first */
  compareKept(text: string): Promise<CheckpointVerdict[]>;
}

/** A stored checkpoint. */
export interface SignedCheckpoint {
  origin: string;
  size: number;
  root: string;
  note: string;
  /** ISO 8601. */
  madeAt: string;
  /** The number of the accepted divergence by which it holds no longer. */
  divergence: number | null;
}

/** A proof with what this server found when it checked it. */
interface Checked {
  /** The hashes lead to the root of the checkpoint. */
  holds: boolean;
  /** The key of this server signed it. */
  signed: boolean;
}

export interface EventProof extends Checked {
  /** The hashed text. */
  leaf: string;
  proof: InclusionProof;
  /** An export of this event alone, which `rookery log verify --file` takes. */
  file: string;
}

export interface ConsistencyEvidence extends Checked {
  from: number;
  to: number;
  hashes: string[];
  /** The earlier one, and the newest. */
  checkpoint: string;
  newest: string;
}

/** The outcome for a kept checkpoint. */
export interface CheckpointVerdict {
  origin: string;
  size: number;
  root: string;
  /** The key of this server signed it. */
  signed: boolean;
  /** The root of as many events of the log as it is now; null when no checkpoint covers so many. */
  log_root: string | null;
  verdict: 'contained' | 'contradicted' | 'ahead';
  /** The number of the divergence that explains a contradiction. */
  divergence: number | null;
}

/** Servers of the operator's choice that get each checkpoint. */
export interface LogWitnesses {
  /** Posts the newest checkpoint to those that lack it, at most once in ten minutes. */
  postWhenDue(): Promise<void>;
  /** Returns the states of those that the settings name. */
  states(): Promise<WitnessState[]>;
}

export interface WitnessState {
  url: string;
  /** The key of its cosignatures; null where the settings name none. */
  key: string | null;
  /** The events of the last checkpoint that it has. */
  size: number;
  /** ISO 8601; null before the first try, and before the first success. */
  triedAt: string | null;
  postedAt: string | null;
  error: string | null;
  /** It knows a log that this one does not continue. */
  contradicts: boolean;
}

/** The latest checkpoint of another log that this server cosigned. */
export interface WitnessedLog {
  origin: string;
  size: number;
  /** With the cosignature. */
  note: string;
  /** ISO 8601. */
  cosignedAt: string;
}

/** A signed checkpoint of another log that does not continue what this server knew. */
export interface WitnessedFork {
  id: string;
  origin: string;
  size: number;
  note: string;
  /** The checkpoint that this server had cosigned before. */
  knownSize: number;
  knownNote: string;
  /** Both checkpoints have the same size, so that they prove the fork to everybody. */
  isProven: boolean;
  /** ISO 8601. */
  seenAt: string;
}

export interface WitnessReply {
  status: number;
  text: string;
  contentType: string;
}

/** This server as a witness of other logs. */
export interface LogWitness {
  /** The key of its cosignatures, as `name+id+key`. */
  readonly key: string;
  /** The keys of the logs that it witnesses. */
  readonly logs: readonly string[];
  /** Cosigns a checkpoint that continues the latest one: https://c2sp.org/tlog-witness#add-checkpoint */
  addCheckpoint(body: string): Promise<WitnessReply>;
  /** The latest cosigned checkpoint of a log, by the SHA-256 of its origin in hexadecimal; undefined without one. */
  checkpointOf(originHash: string): Promise<string | undefined>;
  witnessed(): Promise<WitnessedLog[]>;
  /** Evidence of forks, the newest first. */
  forks(limit: number): Promise<WitnessedFork[]>;
  /** Returns the faults of logs that it witnesses now, at most one for each. */
  openForks(): Promise<{ origin: string; detail: string }[]>;
}

/** That an event is in the tree of a checkpoint: https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.3.2 */
export interface InclusionProof {
  /** The index of the event in the tree, counted from 0 without gaps. */
  position: string;
  leaf_index: number;
  tree_size: number;
  leaf_hash: string;
  hashes: string[];
  checkpoint: string;
}

/** https://datatracker.ietf.org/doc/html/rfc9162#section-2.1.4.2 */
export interface ConsistencyProof {
  from: number;
  to: number;
  hashes: string[];
  /** The checkpoint of the larger tree; null when none was signed, or kept. */
  checkpoint: string | null;
}
