import { altered, notCompared } from '#kernel/altered.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { Compared, Verdict } from '#operations/transparency-log/index.ts';
import { printResult } from './output.ts';

/**
 * Prints what was verified, and the outcome of each checkpoint that an auditor kept.
 * @throws RookeryError `conflict` when the log does not agree with its checkpoints, has another fault, or
 * when a kept checkpoint could not be compared
 */
export function reportVerdict(verdict: Verdict): void {
  const { agreed, problem, divergences, warnings, notes } = verdict;
  for (const { number, time, contradicts, reason } of divergences) {
    printResult(
      `Divergence ${number}, accepted on ${time}: the log contradicts the checkpoint of ${contradicts.size} events: ${reason}`,
      { divergence: number, accepted_at: time, contradicts: contradicts.size, reason },
    );
  }
  for (const note of notes) printResult(note, { note });
  const kept = verdict.compared.filter((each) => each.kept.by === 'auditor');
  for (const each of kept) printOutcome(each);
  if (problem !== undefined) throw altered(problem);
  if (warnings.length > 0) {
    throw new RookeryError(
      'conflict',
      `The log agrees with ${agreed} checkpoint(s), but: ${warnings.join('; ')}`,
    );
  }
  const own = verdict.compared.some((each) => each.kept.by === 'export');
  if (agreed === 0 && kept.length === 0 && !own) {
    throw notCompared('No checkpoint could be compared with these events');
  }
  printUnaltered(verdict, kept.length);
  const missed = kept.filter(({ outcome }) => outcome === 'not_compared').length;
  if (missed > 0) {
    throw notCompared(
      `${missed} of ${kept.length} kept checkpoint(s) could not be compared; ${agreed} agree`,
    );
  }
}

const WORDS: Readonly<Record<Compared['outcome'], string>> = {
  agrees: 'Agrees',
  contradicts: 'Contradicts',
  not_compared: 'Not compared',
};

function printOutcome({ kept: { size, source }, outcome, reason }: Compared): void {
  const why = reason === undefined ? '' : `: ${reason}`;
  printResult(`${WORDS[outcome]}: the checkpoint of ${size} events (${source})${why}`, {
    checkpoint: size,
    source,
    outcome,
    reason: reason ?? null,
  });
}

function printUnaltered({ events, read, root, agreed, uncovered }: Verdict, kept: number): void {
  const checked = read === events ? `${events} events` : `${read} of the ${events} events`;
  const compared =
    agreed > 0 || kept > 0
      ? `${agreed} checkpoint(s) agree`
      : 'signed by the key; compared with no kept checkpoint';
  const rest = uncovered === 0 ? '' : `; the last ${uncovered} are in no checkpoint yet`;
  const encoded = root.toString('base64');
  printResult(`Unaltered: ${checked}, root ${encoded}, ${compared}${rest}`, {
    events,
    read,
    root: encoded,
    agreed,
    uncovered,
  });
}
