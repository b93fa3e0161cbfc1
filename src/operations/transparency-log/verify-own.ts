import { RookeryError } from '#kernel/errors.ts';
import type { VerifiedDamage } from '#storage/eventlog/port.ts';
import { missingCheckpoints } from './checkpoint-digest.ts';
import { type CheckpointFile, missingFile } from './checkpoint-file.ts';
import { describeDamage } from './damaged-fields.ts';
import { isVoidBy, type NotedDivergence, problemWith, storedDivergences } from './divergences.ts';
import type { Kept } from './examination.ts';
import { byAuditor, type KeptFile, keptIn, type LogVerdict, ownCheckpoints, ownVerifier } from './kept.ts';
import type { TreeSources } from './log-tree.ts';
import { type NoteSigner, parseVerifierKey } from './note.ts';
import { checkpointInFile } from './record.ts';
import { type CheckpointDigest, type NumberedCheckpoint, storedCheckpoints } from './stored-checkpoints.ts';
import { verifyLog, type VerifyOptions } from './verify.ts';

export interface OwnSources extends TreeSources {
  signer: NoteSigner;
  digestOf: CheckpointDigest;
  file: CheckpointFile | undefined;
  /** Checkpoints that auditors kept, signed by `key`, or by this server without one. */
  kept: readonly KeptFile[];
  key?: string | undefined;
}

/** A verdict about the log of this server, with some of the events whose fields cannot be decrypted. */
export interface OwnVerdict extends LogVerdict {
  damaged: readonly VerifiedDamage[];
}

/**
 * Compares the log with the stored checkpoints, the one in the file, those that auditors kept, and accepted
 * divergences. Also finds stored checkpoints that were changed or deleted.
 * @returns undefined when it ended early
 * @throws RookeryError `not_found` without any checkpoint, `invalid` for text that is no checkpoint of this log
 */
export async function verifyOwnLog(
  sources: OwnSources,
  options: VerifyOptions,
): Promise<OwnVerdict | undefined> {
  const { db, signer, digestOf, file, kept, key } = sources;
  // Also without kept checkpoints: a wrong key that was ignored would seem to have been used.
  if (key !== undefined) parseVerifierKey(key);
  // In this order: a checkpoint is stored before it is in the file.
  const inFile = await checkpointInFile(db, file);
  const divergences = await storedDivergences(db);
  const stored = await storedCheckpoints(db);
  const theirs = kept.flatMap((each) =>
    key === undefined ? ownCheckpoints(each, signer.publicKey).map(byAuditor) : keptIn(each, key),
  );
  const valid = stored.flatMap((row) => validIn(row, divergences, signer.publicKey));
  const checkpoints = [
    ...valid,
    ...theirs,
    ...divergences.map(({ accepted, number }) => ({ ...accepted, source: `accepted divergence ${number}` })),
    ...(inFile && file ? [{ ...inFile, source: file.path }] : []),
  ];
  if (checkpoints.length === 0) throw new RookeryError('not_found', 'There is no checkpoint to compare with');
  const verdict = await verifyLog(sources, checkpoints, options);
  if (!verdict) return undefined;
  const problem =
    problemWith(verdict, divergences) ??
    forgedDivergence(divergences, signer.publicKey) ??
    missingCheckpoints(stored, digestOf) ??
    fileIsAhead(inFile, valid);
  const damaged = verdict.damaged.map((each) => ({
    ...each,
    accepted: divergences.some(({ agrees, accepted }) => each.index >= agrees && each.index < accepted.size),
  }));
  return { ...verdict, damaged, divergences, ...findingsOf(damaged, problem, await missingFile(db, file)) };
}

/** A wrong key is a problem of its own. */
function findingsOf(
  damaged: readonly VerifiedDamage[],
  problem: string | undefined,
  fileProblem: string | undefined,
): Pick<LogVerdict, 'problem' | 'warnings' | 'notes'> {
  const fields = damaged.filter(({ cause }) => cause === 'fields');
  const damage = describeDamage(fields.filter(({ accepted }) => !accepted));
  const accepted = describeDamage(fields.filter((each) => each.accepted));
  const warnings = [damage, fileProblem].filter((text) => text !== undefined);
  return {
    problem: problem === undefined ? undefined : [problem, ...warnings].join('; '),
    warnings,
    notes: accepted === undefined ? [] : [accepted],
  };
}

/** Leaves out checkpoints that are void by a divergence. */
function validIn(
  { note, madeAt, number }: NumberedCheckpoint,
  divergences: readonly NotedDivergence[],
  publicKey: Buffer,
): Kept[] {
  return ownCheckpoints({ name: `stored ${madeAt}`, text: note }, publicKey).filter(
    ({ size }) => !divergences.some((divergence) => isVoidBy(divergence, { size, number })),
  );
}

function forgedDivergence(divergences: readonly NotedDivergence[], publicKey: Buffer): string | undefined {
  const forged = divergences.find(({ note }) => !ownVerifier(note, publicKey).verifies(note));
  return forged && `The accepted divergence ${forged.number} is not signed by the key of this log`;
}

/** The file has the newest checkpoint, so that a larger or the same one is stored too. */
function fileIsAhead(inFile: { size: number } | undefined, stored: readonly Kept[]): string | undefined {
  if (!inFile || stored.some(({ size }) => size >= inFile.size)) return undefined;
  return `The file has a checkpoint of ${inFile.size} events, and no such or larger one is stored: it was deleted`;
}
