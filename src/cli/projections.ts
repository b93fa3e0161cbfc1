import { Command } from 'commander';
import { projections as all } from '../../projections/index.ts';
import { RookeryError } from '../kernel/errors.ts';
import type { Projection } from '../kernel/projection.ts';
import { rebuild, verify } from '../postgres/rebuild.ts';
import { addAsOf } from './as-of.ts';
import { asOperator, type Operator } from './operator.ts';
import { showProgress } from './progress.ts';
import { table } from './table.ts';

/** `rookery projections`: the read models and how they come about. */
export function projectionsCommand(): Command {
  const projections = new Command('projections').description('Look after the read models');
  projections
    .command('list')
    .description('Show each read model, how far it is, and why it stands still if it does')
    .action(() => asOperator(list));
  projections
    .command('rebuild')
    .description('Build read models anew from the log, beside the live ones, and put them in their place')
    .argument('[names...]', 'all unless given')
    .action((names: string[]) => asOperator((operator) => rebuildAll(operator, chosen(names))));
  projections
    .command('verify')
    .description('Build read models anew beside the live ones and compare them, row by row')
    .argument('[names...]', 'all unless given')
    .action((names: string[]) => asOperator((operator) => verifyAll(operator, chosen(names))));
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

interface Row {
  name: string;
  version: number;
  group: string;
  position: string;
  failure: { event_id: string; event_type: string; error: string } | null;
}

async function list({ app }: Operator): Promise<void> {
  const rows = await app.db.query<Row>(
    'select name, version, "group", position, failure from durable.projections order by "group", name, version',
  );
  const head = await app.log.head();
  const lines = rows.map(({ name, version, group, position, failure }) => [
    name,
    `v${version}`,
    group,
    position,
    String(head - BigInt(position)),
    failure ? `stopped at ${failure.event_type} ${failure.event_id}: ${failure.error}` : 'ok',
  ]);
  console.log(table([['NAME', 'VERSION', 'GROUP', 'POSITION', 'LAG', 'STATE'], ...lines]));
}

async function rebuildAll({ app }: Operator, projections: readonly Projection[]): Promise<void> {
  const progress = showProgress('Rebuilding');
  try {
    await rebuild({ projections, log: app.log, db: app.projectionDb, onProgress: progress.update });
  } finally {
    progress.stop();
  }
  console.log(`Rebuilt: ${projections.map(({ name }) => name).join(', ')}`);
}

async function verifyAll({ app, settled }: Operator, projections: readonly Projection[]): Promise<void> {
  await settled();
  const progress = showProgress('Verifying');
  const { log, projectionDb: db } = app;
  const differences = await verify({ projections, log, db, onProgress: progress.update }).finally(
    progress.stop,
  );
  for (const { table, live, rebuilt } of differences) {
    console.log(`${table}: live ${live}; rebuilt ${rebuilt}`);
  }
  if (differences.length > 0) {
    throw new RookeryError('conflict', `${differences.length} table(s) are not what the log says`);
  }
  console.log(`Identical: ${projections.map(({ name }) => name).join(', ')}`);
}
