import type { Command } from 'commander';
import { invalid, notFound } from '#kernel/errors.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { readCertainMoment } from '#kernel/moments.ts';
import { damagedAmong } from '#storage/eventlog/codec.ts';
import { lastEventUntil } from '#storage/eventlog/find-event.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';
import { accountNamed } from './account-named.ts';
import { asOperator, type Operator } from './operator.ts';
import { printJson } from './output.ts';

const PAGE = 1_000;
const DEFAULT_LIMIT = 100;

interface EventsOptions {
  type?: string[];
  stream?: string;
  actor?: string;
  since?: string;
  limit: string;
}

/** Adds `rookery log show` and `rookery log events`, which print decoded events. */
export function addEvents(log: Command): void {
  log
    .command('show')
    .description('Print the decoded events of one stream, a line of JSON each')
    .argument('<stream>', 'for example status-115500000000000000; see src/events/STREAMS.md')
    .action((stream: string) => asOperator((operator) => show(operator, stream), { onlyLooks: true }));
  log
    .command('events')
    .description('Print decoded events in the order of the log, a line of JSON each')
    .option('--type <types...>', 'only events of these types, for example StatusCreated')
    .option('--stream <stream>', 'only events of streams whose names begin so')
    .option('--actor <username>', 'only events by this local user')
    .option('--since <time>', 'only later events, ISO 8601')
    .option('--limit <number>', 'the most events', String(DEFAULT_LIMIT))
    .action((options: EventsOptions) =>
      asOperator((operator) => events(operator, options), { onlyLooks: true }),
    );
}

async function show({ app }: Operator, stream: string): Promise<void> {
  const found = await app.log.readStream(stream);
  if (found.length === 0) throw notFound();
  const damaged = await damagedIn(app, () => app.store.readStream(stream));
  for (const event of found) print(event, damaged);
}

async function events(operator: Operator, options: EventsOptions): Promise<void> {
  const { app } = operator;
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) throw invalid(`${options.limit} is no number of events`);
  const wanted = await filterOf(operator, options);
  let after = options.since === undefined ? 0n : await positionBefore(app, options.since);
  for (let left = limit; left > 0;) {
    const start = after;
    const page = await app.log.readAll(start, PAGE);
    const last = page.at(-1);
    if (!last) return;
    const found = page.filter(wanted).slice(0, left);
    const damaged = await damagedIn(app, () => app.store.readAll(start, PAGE));
    for (const event of found) print(event, damaged);
    left -= found.length;
    after = last.position;
  }
}

async function filterOf(
  operator: Operator,
  { type, stream, actor }: EventsOptions,
): Promise<(event: RecordedEvent) => boolean> {
  const types = type && new Set(type);
  const account = actor === undefined ? undefined : await accountNamed(operator, actor);
  return (event) =>
    (!types || types.has(event.type)) &&
    (stream === undefined || event.stream.startsWith(stream)) &&
    (account === undefined || event.metadata.actor?.account_id === account);
}

async function positionBefore(app: Operator['app'], since: string): Promise<bigint> {
  const moment = readCertainMoment(since);
  if (moment === undefined) throw invalid(`${since} is no time, like 2026-11-28T08:00:00Z`);
  return (await lastEventUntil(app.log, Date.parse(moment)))?.position ?? 0n;
}

/** Returns the positions of damaged events. The events were read, so that damage among them is noted. */
async function damagedIn(
  { damagedEvents, subjectKeys }: Operator['app'],
  read: () => Promise<StoredEvent[]>,
): Promise<ReadonlySet<bigint>> {
  const { noted } = await damagedEvents.list(1, { accepted: true });
  if (noted === 0) return new Set();
  return new Set((await damagedAmong(await read(), subjectKeys)).map(({ position }) => position));
}

function print(
  { position, stream, revision, type, data, metadata }: RecordedEvent,
  damaged: ReadonlySet<bigint>,
): void {
  const mark = damaged.has(position) ? { damaged: true } : {};
  printJson({ position: String(position), stream, revision, type, ...mark, data, metadata });
}
