import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { altered } from '#kernel/altered.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { type KeptFile, type Verdict, verifyFile } from '#operations/transparency-log/index.ts';
import { acceptLoss } from './accept-loss.ts';
import { addDivergence } from './log-divergence.ts';
import { addEvents } from './log-events.ts';
import { addMonitor } from './log-monitor.ts';
import { addWitness } from './log-witness.ts';
import { asOperator, type Operator } from './operator.ts';
import { printResult } from './output.ts';
import { showProgress } from './progress.ts';

/** `rookery log`: proves that nothing in the event log was changed afterwards. */
export function logCommand(): Command {
  const log = new Command('log').description('Look into the event log, and prove that it was not changed');
  log
    .command('checkpoint')
    .description('Sign a checkpoint of all events that there are, and print it')
    .action(() => asOperator(checkpoint));
  log
    .command('key')
    .description('Print the key that checkpoints are signed with, for auditors')
    .action(() =>
      asOperator(async ({ app }) =>
        printResult(app.transparencyLog.verifierKey, { key: app.transparencyLog.verifierKey }),
      ),
    );
  log
    .command('verify')
    .description('Compare all events with the checkpoints of this server, and with those that somebody kept')
    .option('--checkpoint <files...>', 'checkpoints that somebody kept, one or more in each file')
    .option('--file <path>', 'verify this export instead of the log of this server, without its database')
    .option('--key <key>', 'the key that signed what was kept; the one of this server unless given')
    .action((options: VerifyOptions) =>
      options.file === undefined
        ? asOperator((operator) => verifyOwn(operator, options), { anyLog: true })
        : verifyExported(options.file, options),
    );
  log
    .command('prove')
    .description(
      'Print an event as it was hashed, and the proof that it is in the newest checkpoint, as JSON',
    )
    .argument('<position>')
    .action((position: string) => asOperator((operator) => prove(operator, position)));
  log
    .command('consistency')
    .description('Print the proof that a checkpoint continues an earlier one, as JSON')
    .argument('<from>', 'events of the earlier checkpoint')
    .argument('[to]', 'events of the later one; those of the newest unless given')
    .action((from: string, to?: string) => asOperator((operator) => proveConsistency(operator, from, to)));
  log
    .command('export')
    .description('Write events as they are stored, a line of JSON each, with what is needed to verify them')
    .option('--from <position>', 'the first one; from the start unless given')
    .option('--until <position>', 'the last one; all unless given')
    .option('--checkpoint <file>', 'the checkpoint that it will be verified with; a new one unless given')
    .option('--output <file>', 'where to; standard output unless given')
    .action((options: ExportOptions) => asOperator((operator) => exportEvents(operator, options)));
  log
    .command('accept-loss')
    .description(
      'Say what the log lost that was restored without its end; with --yes, go on from there with read models of what it has',
    )
    .option('--yes', 'rebuild the read models without the lost events')
    .action(acceptLoss);
  addDivergence(log);
  addMonitor(log);
  addWitness(log);
  addEvents(log);
  return log;
}

interface VerifyOptions {
  checkpoint?: string[];
  file?: string;
  key?: string;
}
interface ExportOptions {
  from?: string;
  until?: string;
  checkpoint?: string;
  output?: string;
}

/** Also makes the file anew, which the running server does not. */
async function checkpoint({ app: { transparencyLog } }: Operator): Promise<void> {
  const note = await transparencyLog.record();
  await transparencyLog.renewCheckpointFile();
  printResult(note.trimEnd(), { checkpoint: note });
}

async function verifyOwn({ app }: Operator, { checkpoint = [], key }: VerifyOptions): Promise<void> {
  const kept = await readAll(checkpoint);
  const progress = showProgress('Verifying');
  report(await app.transparencyLog.verify(kept, key, progress.update).finally(progress.stop));
}

async function verifyExported(file: string, { checkpoint = [], key }: VerifyOptions): Promise<void> {
  if (key === undefined) throw invalid('Say by --key whose log it is; see: rookery log key');
  report(await verifyFile(file, await readAll(checkpoint), key));
}

/** One checkpoint a minute makes half a million a year. */
const readAll = (paths: readonly string[]): Promise<KeptFile[]> =>
  Promise.all(paths.map(async (name) => ({ name, text: await readFile(name, 'utf8') })));

/** @throws RookeryError `conflict` when the log does not agree with its checkpoints, or has another fault */
function report({ events, root, agreed, uncovered, problem, divergences, warnings, notes }: Verdict): void {
  for (const { number, time, contradicts, reason } of divergences) {
    printResult(
      `Divergence ${number}, accepted on ${time}: the log contradicts the checkpoint of ${contradicts.size} events: ${reason}`,
      { divergence: number, accepted_at: time, contradicts: contradicts.size, reason },
    );
  }
  for (const note of notes) printResult(note, { note });
  if (problem !== undefined) throw altered(problem);
  if (warnings.length > 0) {
    throw new RookeryError(
      'conflict',
      `The log agrees with ${agreed} checkpoint(s), but: ${warnings.join('; ')}`,
    );
  }
  if (agreed === 0) throw new RookeryError('conflict', 'No checkpoint could be compared with these events');
  const rest = uncovered === 0 ? '' : `; the last ${uncovered} are in no checkpoint yet`;
  const encoded = root.toString('base64');
  printResult(`Unaltered: ${events} events, root ${encoded}, ${agreed} checkpoint(s) agree${rest}`, {
    events,
    root: encoded,
    agreed,
    uncovered,
  });
}

async function prove({ app }: Operator, position: string): Promise<void> {
  const { leaf, proof } = await app.transparencyLog.proveEvent(positionOf(position));
  printProof({ ...proof, leaf, key: app.transparencyLog.verifierKey });
}

const printProof = (proof: object): void => printResult(JSON.stringify(proof, null, 2), { ...proof });

async function proveConsistency({ app }: Operator, from: string, to?: string): Promise<void> {
  const newer = to === undefined ? undefined : Number(positionOf(to));
  printProof(await app.transparencyLog.proveConsistency(Number(positionOf(from)), newer));
}

async function exportEvents(
  { app }: Operator,
  { from, until, checkpoint, output }: ExportOptions,
): Promise<void> {
  const lines = app.transparencyLog.export({
    from: from === undefined ? undefined : positionOf(from),
    until: until === undefined ? undefined : positionOf(until),
    ...(checkpoint === undefined ? {} : { checkpoint: await readFile(checkpoint, 'utf8') }),
  });
  // An existing export is evidence, so it is never replaced.
  const target = output === undefined ? process.stdout : createWriteStream(output, { flags: 'wx' });
  await pipeline(Readable.from(lines), target, { end: output !== undefined });
}

function positionOf(text: string): bigint {
  if (!isId(text)) throw invalid(`${text} is no position of the log`);
  return BigInt(text);
}
