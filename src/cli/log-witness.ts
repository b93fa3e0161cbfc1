import type { Command } from 'commander';
import { isWebAddress } from '#config/settings.ts';
import { altered } from '#kernel/altered.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { asOperator, type Operator } from './operator.ts';
import { printTable } from './output.ts';

/** Adds `rookery log witness`. */
export function addWitness(log: Command): void {
  log
    .command('witness')
    .description('Post the newest checkpoint to witnesses now, and show what they answer')
    .argument('[addresses...]', 'those of LOG_WITNESSES unless given')
    .action((addresses: string[]) => asOperator((operator) => post(operator, addresses)));
}

async function post({ app }: Operator, given: readonly string[]): Promise<void> {
  const wrong = given.find((address) => !isWebAddress(address));
  if (wrong !== undefined) throw invalid(`${wrong} is no address of a witness`);
  const addresses = given.length > 0 ? given : app.config.transparencyLog.witnesses;
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
