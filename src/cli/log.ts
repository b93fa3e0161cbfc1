import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { invalid } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { checkpointOfExport, type KeptFile, verifyFile } from '#operations/transparency-log/index.ts';
import { eventsOfAct, provenEvent } from '#queries/transparency-log/index.ts';
import { acceptLoss } from './accept-loss.ts';
import { addDivergence } from './log-divergence.ts';
import { addEvents } from './log-events.ts';
import { addMonitor } from './log-monitor.ts';
import { assertPolicy } from './log-policy.ts';
import { reportVerdict } from './log-verdict.ts';
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
    .option('--policy <file>', 'the cosignatures that a checkpoint must have (C2SP tlog-policy)')
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
  policy?: string;
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

async function verifyOwn(
  { app: { transparencyLog } }: Operator,
  { checkpoint = [], key, policy }: VerifyOptions,
): Promise<void> {
  const kept = await readAll(checkpoint);
  const progress = showProgress('Verifying');
  reportVerdict(await transparencyLog.verify(kept, key, progress.update).finally(progress.stop));
  if (policy === undefined) return;
  const own = [await transparencyLog.newest(), ...(await transparencyLog.cosigned(10))];
  await assertPolicy(policy, own, transparencyLog.verifierKey);
}

async function verifyExported(file: string, { checkpoint = [], key, policy }: VerifyOptions): Promise<void> {
  if (key === undefined) throw invalid('Say by --key whose log it is; see: rookery log key');
  const kept = await readAll(checkpoint);
  reportVerdict(await verifyFile(file, kept, key));
  if (policy === undefined) return;
  const inFile = await checkpointOfExport(file);
  const checkpoints = [...kept.map(({ text }) => text), ...(inFile === undefined ? [] : [inFile])];
  await assertPolicy(policy, checkpoints, key);
}

/** One checkpoint a minute makes half a million a year. */
const readAll = (paths: readonly string[]): Promise<KeptFile[]> =>
  Promise.all(paths.map(async (name) => ({ name, text: await readFile(name, 'utf8') })));

async function prove({ app, ctx }: Operator, position: string): Promise<void> {
  const { transparencyLog } = app;
  const { leaf, proof } = await transparencyLog.proveEvent(positionOf(position));
  const beside = await transparencyLog.eventProofs(await besideInAct(ctx, leaf, position));
  const others = beside.map(({ leaf: other, proof: { position: at, leaf_index, leaf_hash, hashes } }) => ({
    position: at,
    leaf: other,
    leaf_index,
    leaf_hash,
    hashes,
  }));
  printProof({ ...proof, leaf, others, key: transparencyLog.verifierKey });
}

/** Returns the positions of the other events of the act that an event belongs to. */
async function besideInAct({ services }: Operator['ctx'], leaf: string, position: string): Promise<bigint[]> {
  const { command_id, correlation_id } = provenEvent(leaf).metadata;
  const act = { position, command_id: String(command_id), correlation_id: String(correlation_id) };
  const positions = await eventsOfAct(services.eventBrowser, act);
  return positions.filter((each) => each !== position).map(BigInt);
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
