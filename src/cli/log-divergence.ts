import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { recordDivergence } from '#commands/admin/audit/index.ts';
import { invalid } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm } from './output.ts';

interface DivergenceOptions {
  checkpoint: string;
  reason: string;
}

/** Adds `rookery log accept-divergence`. */
export function addDivergence(log: Command): void {
  log
    .command('accept-divergence')
    .description(
      'Go on with a log that somebody changed by hand: sign that it contradicts a checkpoint, for every verifier to see',
    )
    .requiredOption(
      '--checkpoint <events>',
      'the first contradicted checkpoint, as "rookery log verify" says',
    )
    .requiredOption('--reason <text>', 'what happened, for auditors and in public')
    .action((options: DivergenceOptions) => asOperator((operator) => accept(operator, options)));
}

async function accept(
  { app, ctx, catchUp }: Operator,
  { checkpoint: given, reason }: DivergenceOptions,
): Promise<void> {
  if (!isId(given)) throw invalid(`${given} is no number of events`);
  const asked = { id: randomUUID(), checkpoint: Number(given), reason, time: ctx.now };
  // Nothing is written before the operator named the right checkpoint.
  const contradiction = await app.transparencyLog.contradictionOf(asked);
  await recordDivergence(ctx, { divergence_id: asked.id, checkpoint: asked.checkpoint, reason });
  const { number, accepted } = await app.transparencyLog.acceptDivergence(asked, contradiction);
  await catchUp();
  confirm(`Accepted as divergence ${number}: the log of ${accepted.size} events is the one that counts`, {
    divergence: number,
    events: accepted.size,
  });
}
