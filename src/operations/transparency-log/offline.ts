import { isVoidBy, parseDivergence } from './divergences.ts';
import { Examination, type Verdict } from './examination.ts';
import { ownCheckpoints } from './kept.ts';
import { positionIn } from './leaf.ts';
import { leafHash } from './merkle.ts';
import { parseNotes, parseVerifierKey } from './note.ts';

/*
 * Verifies copies of a log without its database.
 */

export interface CopiedLog {
  /** The leaves in the order of the log, in pages. */
  leaves: AsyncIterable<readonly string[]>;
  /** Stored checkpoints; `source` names them in messages. */
  checkpoints: readonly { note: string; number?: number | undefined; source: string }[];
  /** The notes of accepted divergences. */
  divergences: readonly string[];
  /** The key that signed the checkpoints, perhaps under a former domain. */
  key: string;
}

/** Compares a copied log with its checkpoints. @throws RookeryError `invalid` for one that the key did not sign */
export async function verifyCopy(
  { leaves, checkpoints, divergences, key }: CopiedLog,
  onEvents: (events: number) => void,
): Promise<Verdict> {
  const { publicKey } = parseVerifierKey(key);
  const accepted = divergences.map(parseDivergence);
  const kept = checkpoints
    .flatMap(({ note, number, source }) =>
      ownCheckpoints({ name: source, text: note }, publicKey).map((each) => ({ ...each, number })),
    )
    .filter((each) => !accepted.some((divergence) => isVoidBy(divergence, each)));
  const examination = new Examination(kept);
  let events = 0;
  for await (const page of leaves) {
    for (const line of page) {
      const leaf = Buffer.from(line);
      const position = positionIn(leaf);
      if (position === undefined) examination.fail(`Line ${events + 1} of the log is no event`);
      else examination.take(leafHash(leaf), position);
      events += 1;
    }
    onEvents(events);
  }
  return examination.end();
}

/** Tells whether a signed note has exactly this text, and this key signed it. */
export function signsText(signature: string, text: string, key: string): boolean {
  const [note, ...others] = parseNotes(signature);
  return note?.text === text && others.length === 0 && parseVerifierKey(key).verifies(note);
}
