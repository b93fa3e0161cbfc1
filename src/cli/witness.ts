import { Command } from 'commander';
import { altered } from '#kernel/altered.ts';
import { asOperator, type Operator } from './operator.ts';
import { printResult, printTable } from './output.ts';

/** The most forks that are shown. */
const MAX_FORKS = 40;

/** `rookery witness`: this server as a witness of the logs of other servers. */
export const witnessCommand = (): Command =>
  new Command('witness')
    .description(
      'Show the key by which this server witnesses other logs, what it cosigned, and the forks that it saw',
    )
    .option('--evidence', 'print the signed checkpoints of the forks as well')
    .action((options: { evidence?: true }) => asOperator((operator) => show(operator, options)));

/** @throws RookeryError `altered` while a witnessed log has a fork */
async function show({ app: { logWitness } }: Operator, { evidence }: { evidence?: true }): Promise<void> {
  printResult(logWitness.key, { key: logWitness.key });
  const [witnessed, forks] = [await logWitness.witnessed(), await logWitness.forks(MAX_FORKS)];
  const latest = new Map(witnessed.map((each) => [each.origin, each]));
  printTable(
    ['LOG', 'EVENTS', 'COSIGNED'],
    logWitness.logs.map((key) => {
      const known = latest.get(key.split('+', 1)[0] ?? '');
      return [
        key,
        known?.size ?? 0,
        known === undefined ? 'never' : new Date(known.cosignedAt).toISOString(),
      ];
    }),
  );
  for (const { id, origin, size, knownSize, isProven, seenAt, note, knownNote } of forks) {
    const what = isProven
      ? `signed two different checkpoints of ${size} events`
      : `sent a checkpoint of ${size} events without a proof that it continues the one of ${knownSize}`;
    printResult(`Evidence ${id}, ${new Date(seenAt).toISOString()}: ${origin} ${what}`, {
      evidence: id,
      origin,
      size,
      known_size: knownSize,
      proven: isProven,
      checkpoint: note,
      known_checkpoint: knownNote,
    });
    if (evidence) printResult(`\n${knownNote}\n${note}`, { evidence: id });
  }
  const [open] = await logWitness.openForks();
  if (open) throw altered(`${open.origin} has a fork: ${open.detail}`);
}
