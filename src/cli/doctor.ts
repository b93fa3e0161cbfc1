import { Command } from 'commander';
import { examine } from '#app/examination.ts';
import { altered } from '#kernel/altered.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { HealthFinding } from '#kernel/services/server-health.ts';
import { asOperator, type Operator } from './operator.ts';
import { printFacts } from './output.ts';

/** `rookery doctor`: one word on the whole state, and a line on each part. */
export const doctorCommand = (): Command =>
  new Command('doctor')
    .description('Look at everything that an operator should know, and say in one word how the server is')
    .action(() => asOperator(printFindings, { onlyLooks: true, anyLog: true }));

async function printFindings({ app }: Operator): Promise<void> {
  const { contextDependencies, tokenDigests, config } = app;
  const findings = await examine({
    stores: app,
    readModels: contextDependencies.services.readModels,
    tokenDigests,
    dataDir: config.dataDir,
  });
  const has = (state: HealthFinding['state']): boolean => findings.some((each) => each.state === state);
  const word = has('altered') ? 'ALTERED' : has('broken') ? 'BROKEN' : has('warning') ? 'WARNING' : 'OK';
  printFacts([
    ['state', word],
    ...findings.map(({ name, state, text }) => [name, state === 'ok' ? text : `${state}: ${text}`] as const),
  ]);
  if (word === 'ALTERED') throw altered('Something that was recorded is not what it was');
  if (word === 'BROKEN') throw new RookeryError('conflict', 'Something does not work');
}
