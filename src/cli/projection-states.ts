import { percentOf } from '#kernel/event-count.ts';
import type { ReadModel, ReadModelFailure } from '#kernel/services/read-models.ts';
import { damageText } from '#storage/postgres/damaged-events.ts';
import { buildsUnderWay } from '#storage/postgres/rebuild/build-progress.ts';
import type { Operator } from './operator.ts';
import { printFacts, printResult, printTable } from './output.ts';
import { countText } from './table.ts';

/** Prints each read model, and the builds in progress. */
export async function list({ app }: Operator): Promise<void> {
  const models = await app.contextDependencies.services.readModels.list();
  const lines = models.map((model) => [
    model.name,
    `v${model.version}`,
    model.group,
    model.position,
    countText(countOf(model)),
    String(Math.ceil(model.lag.seconds ?? 0)),
    stateText(model),
  ]);
  const building = (await buildsUnderWay(app.db)).map(({ names, position, head, done, total, estimated }) => [
    ...[names.join(' '), '', '', position],
    countText(total == null ? undefined : { events: total - (done ?? 0), estimated: estimated === true }),
    '',
    `being built: ${percentOf({ position: BigInt(done ?? position), head: BigInt(total ?? head) })} %`,
  ]);
  const heading = ['NAME', 'VERSION', 'GROUP', 'POSITION', 'LAG', 'SECONDS', 'STATE'];
  printTable(heading, [...lines, ...building]);
  const damage = damageText(await app.damagedEvents.list(3, { accepted: true }));
  if (damage !== undefined) printResult(`\n${damage}; see: rookery log verify`, { damaged: damage });
}

const countOf = ({ lag: { events, estimated } }: ReadModel) =>
  events === null ? undefined : { events, estimated };

const stateText = (model: ReadModel): string =>
  [
    presentText(model),
    ...(model.last_try ? [lastTryText(model.last_try)] : []),
    ...(model.lacks.length > 0 ? [lackingText(model)] : []),
    ...otherCode(model),
  ].join('; ');

function presentText({ state, failure }: ReadModel): string {
  if (state === 'catching_up') return 'catching up';
  if (state === 'not_built') return 'not built in this version';
  if (!failure) return 'ok';
  return failure.event_id === '' ? failureText(failure) : `${state} ${failureText(failure)}`;
}

const OUTCOMES = { went_on: 'took the event', rejected: 'halted again', failed: 'failed' } as const;

function lastTryText({ at, outcome, error }: NonNullable<ReadModel['last_try']>): string {
  // A rejection is that of the present state.
  const cause = outcome === 'failed' && error !== null ? `: ${error.replaceAll(/\s+/g, ' ')}` : '';
  return `retried at ${at}: ${OUTCOMES[outcome]}${cause}`;
}

/** Names the events that the tables lack, and the way to take them. */
const lackingText = ({ name, lacks }: ReadModel): string =>
  `lacks ${lacks.map(({ position, event_type }) => `${position} ${event_type}`).join(', ')} until: rookery projections rebuild ${name}`;

/** Says that tables or rows are not as the program makes them, and the way to mend that. */
const otherCode = ({ name, built_by: { tables, handlers } }: ReadModel): string[] => [
  ...(tables === 'other_code' ? ['its tables changed, and the next start of the server rebuilds it'] : []),
  ...(handlers === 'other_code'
    ? [`its handlers changed since it was built: rookery projections rebuild ${name}`]
    : []),
];

const CODE = {
  this_code: 'as in this version',
  other_code: 'changed since it was built',
  unknown: 'unknown at its build',
} as const;

/** Returns the event that stopped a read model, and why, on one line. */
export function failureText({ position, event_id, event_type, error }: ReadModelFailure): string {
  const where =
    event_id === '' ? `cannot read on behind ${position}` : `at ${position} ${event_type} ${event_id}`;
  return `${where}: ${error.replaceAll(/\s+/g, ' ')}`;
}

/** Prints everything about one read model. */
export async function show({ app }: Operator, name: string): Promise<void> {
  const model = await app.contextDependencies.services.readModels.show(name);
  const facts: (readonly [string, string])[] = [
    ['name', `${model.name} v${model.version}, group ${model.group}`],
    ['position', model.position],
    ['lag', `${countText(countOf(model))} events, ${Math.ceil(model.lag.seconds ?? 0)} s`],
    ['state', stateText(model)],
    ['built', model.built_at ?? 'at an unknown time'],
    ['code', `tables ${CODE[model.built_by.tables]}, handlers ${CODE[model.built_by.handlers]}`],
    ...model.skipped.map(
      (skip) =>
        [
          'skips',
          `${skip.position} ${skip.event_type} ${skip.event_id} since ${skip.skipped_at}: ${skip.reason}`,
        ] as const,
    ),
    ...model.tables.map(
      (each) =>
        ['table', `${each.name}: ${Math.ceil(each.bytes / 1024)} kB, about ${each.rows} rows`] as const,
    ),
  ];
  printFacts(facts);
  if (!model.event) return;
  const { position, type, stream, revision, data, metadata } = model.event;
  if (await app.damagedEvents.isNoted(String(position))) {
    printResult('\nThe personal fields of this event cannot be decrypted, and are read as erased', {
      damaged: true,
    });
  }
  const event = { type, stream, revision, data, metadata };
  printResult(`\n${JSON.stringify(event, null, 2)}`, event);
}
