import { type Command, InvalidArgumentError } from 'commander';
import { buildPast, pointAt, readWhen, type When } from '#app/as-of/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { projections } from '#projections/index.ts';
import { dropAsOf, listAsOf } from '#storage/postgres/rebuild/as-of.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printTable } from './output.ts';
import { showProgress } from './progress.ts';

/** The notation for a point in the past. */
export const WHEN = 'a position of the log (120), a time (2026-11-22T10:00:00Z) or a date (2026-11-22)';

/** `rookery projections build`, and `as-of` for the read models that it leaves on disk. */
export function addAsOf(command: Command): void {
  command
    .command('build')
    .description('Build all read models as they were then, beside the live ones, for: rookery serve --as-of')
    .requiredOption('--as-of <when>', WHEN, parseWhen)
    .action(({ asOf }: { asOf: When }) =>
      asOperator((operator) => build(operator, asOf), { background: true }),
    );
  const asOf = command.command('as-of').description('Look after the read models of the past');
  asOf
    .command('list')
    .description('Show what was built, how large it is, and whether it is served now')
    .action(() => asOperator(list));
  asOf
    .command('drop')
    .description('Remove what was built, to free the disk')
    .argument('[positions...]', 'positions, as list shows them', parsePosition)
    .option('--all', 'everything that is not being built or served')
    .action((positions: bigint[] | undefined, { all }: { all?: true }) =>
      asOperator((operator) => drop(operator, positions ?? [], all === true)),
    );
}

export function parseWhen(text: string): When {
  const when = readWhen(text);
  if (when) return when;
  throw new InvalidArgumentError(`Expected is ${WHEN}.`);
}

function parsePosition(text: string, earlier: bigint[] | undefined): bigint[] {
  if (!/^[0-9]{1,18}$/.test(text)) throw new InvalidArgumentError('A position is a whole number.');
  return [...(earlier ?? []), BigInt(text)];
}

async function build({ app: { log, projectionDb: db } }: Operator, when: When): Promise<void> {
  const point = await pointAt(log, when);
  const progress = showProgress('Building');
  const built = await buildPast({ log, db, point, onProgress: progress.update }).finally(progress.stop);
  confirm(`Built: ${built.schema}`, { schema: built.schema, position: String(point.position) });
}

async function list({ app }: Operator): Promise<void> {
  const lines = (await listAsOf(app.db, projections)).map(({ position, moment, state, served, bytes }) => [
    String(position),
    moment ?? '',
    `${(bytes / 1_048_576).toFixed(1)} MiB`,
    state,
    served ? 'yes' : 'no',
  ]);
  printTable(['POSITION', 'TIME', 'SIZE', 'STATE', 'SERVED'], lines);
}

async function drop({ app }: Operator, positions: readonly bigint[], all: boolean): Promise<void> {
  if (positions.length === 0 && !all) {
    throw new RookeryError('invalid', 'Say which: positions, or --all; see: rookery projections as-of list');
  }
  const dropped = new Set(positions);
  if (all) {
    const rows = await listAsOf(app.db, projections);
    const idle = rows.filter(({ served, state }) => !served && state !== 'building');
    for (const { position } of idle) dropped.add(position);
  }
  for (const position of dropped) await dropAsOf(app.projectionDb, position);
  confirm(`Removed: ${[...dropped].join(', ') || 'nothing'}`, { removed: [...dropped].map(String) });
}
