import type { Command } from 'commander';
import { readWitness } from '#config/settings.ts';
import { altered } from '#kernel/altered.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { asOperator, type Operator } from './operator.ts';
import { printTable } from './output.ts';

/** Adds `rookery log witness`. */
export function addWitness(log: Command): void {
  log
    .command('witness')
    .description('Post the newest checkpoint to witnesses now, and show what they answer')
    .argument(
      '[addresses...]',
      'those of LOG_WITNESSES unless given; a witness in quotes with its key: "ADDRESS name+id+key"',
    )
    .action((addresses: string[]) => asOperator((operator) => post(operator, addresses)));
}

async function post({ app }: Operator, given: readonly string[]): Promise<void> {
  const configured = app.config.transparencyLog.witnesses;
  const asked = given.map((text) => {
    const witness = readWitness(text);
    if (!witness) throw invalid(`${text} is no address of a witness, perhaps with its key`);
    const { url, key } = witness;
    return { url, key: key ?? configured.find((each) => each.url === url)?.key };
  });
  const addresses = asked.length > 0 ? asked : configured;
  if (addresses.length === 0) throw invalid('Name addresses, or set LOG_WITNESSES');
  await app.transparencyLog.record();
  const outcomes = await app.logWitnesses.post(addresses);
  printTable(
    ['ADDRESS', 'EVENTS', 'STATE'],
    outcomes.map(({ url, size, error, cosignature }) => [
      url,
      size,
      error ?? (cosignature === undefined ? 'posted' : 'signed'),
    ]),
  );
  const other = outcomes.find(({ contradicts }) => contradicts);
  if (other) throw altered(`The witness ${other.url} knows another log: ${other.error}`);
  const failed = outcomes.filter(({ error }) => error !== undefined).length;
  if (failed > 0) throw new RookeryError('unavailable', `${failed} of ${outcomes.length} did not take it`);
}
