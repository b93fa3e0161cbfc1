import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { projections as all } from '../../projections/index.ts';
import { eventsBehind, lagsBehind } from '../storage/eventlog/lag.ts';
import { RookeryError } from '../kernel/errors.ts';
import { percentOf } from '../kernel/event-count.ts';
import type { Projection } from '../kernel/projection.ts';
import type { Failure } from '../storage/postgres/failures.ts';
import { askProjectorsToRetry } from '../storage/postgres/projector.ts';
import { buildsUnderWay } from '../storage/postgres/build-progress.ts';
import { rebuild, verify } from '../storage/postgres/rebuild.ts';
import { addAsOf } from './as-of.ts';
import { asOperator, project, type Operator } from './operator.ts';
import { showProgress } from './progress.ts';
import { countText, table } from './table.ts';

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
    .action((names: string[]) => asOperator((operator) => rebuildAll(operator, chosen(names))));
  projections
    .command('verify')
    .description('Build read models anew beside the live ones and compare them, row by row')
    .argument('[names...]', 'all unless given')
    .action((names: string[]) => asOperator((operator) => verifyAll(operator, chosen(names))));
  projections
    .command('retry')
    .description('Retry the events that halted read models, once the cause is fixed')
    .action(() => asOperator(retry));
  addAsOf(projections);
  return projections;
}

/** Milliseconds. */
const LOOK_EVERY = 100;
/** Milliseconds that a first step may take. */
const PATIENCE = 30_000;

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
  failure: Failure | null;
}

async function list({ app }: Operator): Promise<void> {
  const rows = await app.db.query<Row>(
    'select name, version, "group", position, failure from durable.projections order by "group", name, version',
  );
  const positions = rows.map(({ position }) => BigInt(position));
  const [lags, counts] = await Promise.all([
    lagsBehind(app.log, positions, Date.now()),
    eventsBehind(app.log, positions),
  ]);
  const lines = rows.map(({ name, version, group, position, failure }, index) => [
    name,
    `v${version}`,
    group,
    position,
    countText(counts[index]),
    String(Math.ceil(lags[index]?.seconds ?? 0)),
    failure ? stateOf(failure) : 'ok',
  ]);
  const building = (await buildsUnderWay(app.db)).map(({ names, position, head, done, total, estimated }) => [
    ...[names.join(' '), '', '', position],
    countText(total == null ? undefined : { events: total - (done ?? 0), estimated: estimated === true }),
    '',
    `being built: ${percentOf({ position: BigInt(position), head: BigInt(head) })} %`,
  ]);
  const heading = ['NAME', 'VERSION', 'GROUP', 'POSITION', 'LAG', 'SECONDS', 'STATE'];
  console.log(table([heading, ...lines, ...building]));
}

function stateOf({ position, event_id, event_type, error }: Failure): string {
  const where =
    event_id === ''
      ? `cannot read on behind ${position}`
      : `stopped at ${position} ${event_type} ${event_id}`;
  return `${where}: ${error.replaceAll(/\s+/g, ' ')}`;
}

/**
 * Retries the event with this program, which may be a repaired one; the running servers continue after it.
 * @throws RookeryError `not_found` when no group is halted, `conflict` when it halts again
 */
async function retry({ app }: Operator): Promise<void> {
  const before = (await app.checkpoints.groups()).filter(({ failed }) => failed);
  if (before.length === 0) throw new RookeryError('not_found', 'No read model is halted');
  const end = performance.now() + PATIENCE;
  const failure = await project(app, async () => {
    if (performance.now() > end) {
      throw new RookeryError('conflict', 'Nothing has moved; see: rookery projections list');
    }
    await sleep(LOOK_EVERY);
    return (await app.checkpoints.groups()).every(
      ({ group, position, failed }) =>
        !failed && before.every((each) => each.group !== group || each.position < position),
    );
  });
  if (failure) throw new RookeryError('conflict', `${failure.projection} ${stateOf(failure)}`);
  await askProjectorsToRetry(app.db);
  console.log(`Going on: ${before.map(({ group }) => group).join(', ')}`);
}

async function rebuildAll({ app }: Operator, projections: readonly Projection[]): Promise<void> {
  const progress = showProgress('Rebuilding');
  try {
    await rebuild({ projections, log: app.log, db: app.projectionDb, onProgress: progress.update });
  } finally {
    progress.stop();
  }
  // Halted groups have new rows after the failed event.
  await askProjectorsToRetry(app.db);
  console.log(`Rebuilt: ${projections.map(({ name }) => name).join(', ')}`);
}

async function verifyAll({ app, catchUp }: Operator, projections: readonly Projection[]): Promise<void> {
  await catchUp();
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
