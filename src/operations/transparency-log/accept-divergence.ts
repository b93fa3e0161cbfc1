import { invalid, RookeryError } from '#kernel/errors.ts';
import { parseCheckpoint } from './checkpoint.ts';
import {
  type Divergence,
  divergenceText,
  MAX_REASON,
  storedDivergences,
  storeDivergence,
} from './divergences.ts';
import type { Kept } from './examination.ts';
import type { RecordDependencies } from './record.ts';
import { storedCheckpoints } from './stored-checkpoints.ts';
import { verifyLog } from './verify.ts';
import { verifyOwnLog } from './verify-own.ts';

/** The acceptance of a log that was repaired by hand. */
export interface AcceptedDivergence {
  /** UUID; also names the entry in the audit log. */
  id: string;
  /** The events of the first checkpoint that the log contradicts. */
  checkpoint: number;
  reason: string;
  /** ISO 8601. */
  time: string;
}

/** The first checkpoint that the log contradicts, and the events up to which it agrees. */
export type Contradiction = Kept & { agrees: number };

/**
 * Returns what the log contradicts.
 * @throws RookeryError `conflict` when it contradicts nothing, `invalid` for another checkpoint than the first
 */
export async function contradictionOf(
  dependencies: RecordDependencies,
  { checkpoint, reason }: Pick<AcceptedDivergence, 'checkpoint' | 'reason'>,
): Promise<Contradiction> {
  if (reason.trim() === '' || reason.length > MAX_REASON || reason.includes('\n')) {
    throw invalid(`The reason must be one line of 1 to ${MAX_REASON} characters`);
  }
  const verdict = await verifyOwnLog({ ...dependencies, kept: [] }, {});
  const { contradicts, problem } = verdict ?? {};
  if (!verdict || !contradicts) {
    const finding = problem ?? 'The log agrees with its checkpoints';
    throw new RookeryError('conflict', `${finding}. There is no contradicted checkpoint to accept`);
  }
  if (contradicts.size !== checkpoint) {
    throw invalid(
      `The first checkpoint that the log contradicts is the one of ${contradicts.size} events: say --checkpoint ${contradicts.size}`,
    );
  }
  return { ...contradicts, agrees: verdict.events - verdict.uncovered };
}

/** Signs and stores the acceptance of what `contradictionOf` found. */
export async function acceptDivergence(
  dependencies: RecordDependencies,
  { id, reason, time }: AcceptedDivergence,
  { size, root, agrees }: Contradiction,
): Promise<Divergence> {
  const { db, signer, origin, file } = dependencies;
  const stored = (await storedCheckpoints(db)).map(({ note, number = 0 }) => ({
    size: parseCheckpoint(note).size,
    number,
  }));
  const inFile = await file?.read();
  const now = await verifyLog(dependencies, []);
  if (!now) throw new Error('The log could not be read to its end');
  const divergence: Divergence = {
    number: (await storedDivergences(db)).length + 1,
    contradicts: { size, root },
    agrees,
    voidSize: Math.max(size, inFile?.size ?? 0, ...stored.map((each) => each.size)),
    voidNumber: Math.max(0, ...stored.map((each) => each.number)),
    accepted: { size: now.events, root: now.root },
    time,
    reason: reason.trim(),
  };
  const note = signer.sign(divergenceText(origin, divergence), origin);
  await db.transaction((transaction) => storeDivergence(transaction, id, divergence, note));
  return divergence;
}
