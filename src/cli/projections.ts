import { Command } from 'commander';
import { recordStart } from '#commands/admin/projections/index.ts';
import { altered } from '#kernel/altered.ts';
import { differenceText, keyText } from '#kernel/differing-rows.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { Projection } from '#kernel/projection.ts';
import { projections as all } from '#projections/index.ts';
import { Rejected } from '#storage/postgres/projector/event-applier.ts';
import { askProjectorsToRetry } from '#storage/postgres/projector/projector.ts';
import { allSkips, isLeftOut } from '#storage/postgres/projector/skips.ts';
import { rebuild, verify } from '#storage/postgres/rebuild/rebuild.ts';
import { addAsOf } from './as-of.ts';
import { positionOf, retry, skip, unskip } from './halted-projections.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printResult } from './output.ts';
import { showProgress } from './progress.ts';
import { failureText, list, show } from './projection-states.ts';

/** `rookery projections`: the read models and their builds. */
export function projectionsCommand(): Command {
  const projections = new Command('projections').description('Look after the read models');
  projections
    .command('list')
    .description(
      'Show each read model, its lag in events (~: an estimate) and seconds, and the error that halted it',
    )
    // `onlyLooks`: the list does not wait for a build in another process.
    .action(() => asOperator(list, { onlyLooks: true }));
  projections
    .command('rebuild')
    .description('Build read models anew from the log, beside the live ones, and put them in their place')
    .argument('[names...]', 'all unless given')
    .action((names: string[]) =>
      asOperator((operator) => rebuildAll(operator, chosen(names)), { background: true }),
    );
  projections
    .command('verify')
    .description(
      'Build read models anew beside the live ones and compare them; name the first rows that differ, by key',
    )
    .argument('[names...]', 'all unless given')
    .action((names: string[]) =>
      asOperator((operator) => verifyAll(operator, chosen(names)), { background: true }),
    );
  projections
    .command('retry')
    .description('Retry the events that halted read models, once the cause is fixed')
    .action(() => asOperator(retry));
  projections
    .command('show')
    .description('Show one read model: position, lag, tables, and the event that halted it')
    .argument('<name>')
    .action((name: string) => asOperator((operator) => show(operator, name), { onlyLooks: true }));
  projections
    .command('skip')
    .description('Let a halted read model go on without an event, also when it is rebuilt')
    .argument('<name>')
    .argument('<position>')
    .requiredOption('--reason <text>', 'recorded in the audit log')
    .action((name: string, position: string, { reason }: { reason: string }) =>
      asOperator((operator) => skip(operator, { name, position: positionOf(position), reason }), {
        onlyLooks: true,
      }),
    );
  projections
    .command('unskip')
    .description('Take a skipped event again with the next rebuild')
    .argument('<name>')
    .argument('<position>')
    .action((name: string, position: string) =>
      asOperator((operator) => unskip(operator, { name, position: positionOf(position) })),
    );
  addAsOf(projections);
  return projections;
}

function chosen(names: readonly string[]): Projection[] {
  const unknown = names.find((name) => !all.some((projection) => projection.name === name));
  if (unknown !== undefined) {
    const known = all.map(({ name }) => name).join(', ');
    throw new RookeryError('not_found', `There is no read model ${unknown}; there are ${known}`);
  }
  return all.filter(({ name }) => names.length === 0 || names.includes(name));
}

async function rebuildAll({ app, ctx }: Operator, projections: readonly Projection[]): Promise<void> {
  for (const { name } of projections) await recordStart(ctx, { id: ctx.newId(), name, kind: 'rebuild' });
  const progress = showProgress('Rebuilding');
  try {
    await rebuild({ projections, log: app.log, db: app.projectionDb, onProgress: progress.update });
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const { projection, ...failure } = error.failure;
    throw new RookeryError('conflict', `${projection} halts again ${failureText(failure)}`, { cause: error });
  } finally {
    progress.stop();
  }
  // Halted groups have new rows after the failed event.
  await askProjectorsToRetry(app.db);
  const names = projections.map(({ name }) => name);
  confirm(`Rebuilt: ${names.join(', ')}`, { projections: names });
}

async function verifyAll({ app, catchUp }: Operator, projections: readonly Projection[]): Promise<void> {
  await catchUp();
  const progress = showProgress('Verifying');
  const { log, projectionDb: db } = app;
  const { update: onProgress } = progress;
  const differences = await verify({ projections, log, db, onProgress, keyTexts: true }).finally(
    progress.stop,
  );
  for (const { table, live, rebuilt, rows } of differences) {
    const named = rows.map((row) => `\n  ${keyText(row)} ${differenceText(row)}`).join('');
    printResult(`${table}: live ${live}; rebuilt ${rebuilt}${named}`, { table, live, rebuilt, rows });
  }
  const skips = await allSkips(db);
  for (const skip of skips) {
    const { name, position, event_type, reason } = skip;
    if (!projections.some((each) => each.name === name)) continue;
    const how = isLeftOut(skip) ? 'leaves out' : 'lacks, until it is rebuilt,';
    printResult(`${name} ${how} ${position} ${event_type}: ${reason}`, {
      projection: name,
      skipped: position,
      event_type,
      reason,
    });
  }
  if (differences.length > 0) {
    throw altered(`${differences.length} table(s) are not what the log says`);
  }
  const names = projections.map(({ name }) => name);
  confirm(`Identical: ${names.join(', ')}`, { projections: names });
}
