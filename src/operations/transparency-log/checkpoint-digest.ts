import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { type CheckpointDigest, KEPT_EACH, type NumberedCheckpoint } from './stored-checkpoints.ts';

/** @param seed that of the key which signs checkpoints: 32 bytes */
export function checkpointDigest(seed: Buffer): CheckpointDigest {
  const key = Buffer.from(hkdfSync('sha256', seed, '', 'rookery stored checkpoints', 32));
  return ({ number, madeAt, note }) => {
    const time = new Date(madeAt).toISOString();
    return createHmac('sha256', key).update(`${number}\n${time}\n${note}`).digest();
  };
}

/** Milliseconds for which all checkpoints are kept. */
const DAY = 24 * 60 * 60 * 1_000;

/**
 * Compares the numbers of stored checkpoints with the rule by which they are thinned: all of a day are there,
 * and every sixtieth of the time before.
 * @returns what was changed or deleted, or undefined
 */
export function missingCheckpoints(
  rows: readonly NumberedCheckpoint[],
  digestOf: CheckpointDigest,
  now = Date.now(),
): string | undefined {
  const numbered = rows
    .flatMap(({ number, ...row }) => (number === undefined ? [] : [{ ...row, number }]))
    .toSorted((a, b) => a.number - b.number);
  let previous = { number: 0, madeAt: '' };
  for (const row of numbered) {
    const { number, madeAt, note, digest } = row;
    if (digest?.length !== 32 || !timingSafeEqual(digest, digestOf({ number, madeAt, note }))) {
      return `The stored checkpoint number ${number} was changed`;
    }
    const missing = firstMissing(previous, number, now);
    if (missing !== undefined) {
      return `The stored checkpoint number ${missing} was deleted; the next one is number ${number}`;
    }
    previous = row;
  }
  return undefined;
}

/** Returns the first number between two stored ones that should be stored as well. */
function firstMissing(
  previous: { number: number; madeAt: string },
  next: number,
  now: number,
): number | undefined {
  const first = previous.number + 1;
  if (first === next) return undefined;
  if (previous.madeAt !== '' && Date.parse(previous.madeAt) > now - DAY) return first;
  const kept = Math.ceil(first / KEPT_EACH) * KEPT_EACH;
  return kept < next ? kept : undefined;
}
