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
  /** The newest checkpoint: https://c2sp.org/tlog-checkpoint @throws RookeryError `not_found` before the first */
  newest(): Promise<string>;
  /** @throws RookeryError `not_found` where there is no event, or none that a checkpoint covers */
  proveInclusion(position: bigint): Promise<InclusionProof>;
  /** That the tree of `to` events, the newest unless given, begins with that of `from`. @throws RookeryError `invalid` */
  proveConsistency(from: number, to?: number): Promise<ConsistencyProof>;
}

/** Servers of the operator's choice that get each checkpoint. */
export interface LogWitnesses {
  /** Posts the newest checkpoint to those that lack it, at most once in ten minutes. */
  postWhenDue(): Promise<void>;
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
