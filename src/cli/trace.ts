import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { readModelsOf } from '#adapters/event-browser/index.ts';
import { pointAt, type When } from '#app/as-of/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { projections } from '#projections/index.ts';
import { listDeadLetters } from '#storage/reactor-runtime/store.ts';
import { parseWhen, WHEN } from './as-of.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, isJson, printResult, printTable } from './output.ts';
import { countProgress } from './progress.ts';
import {
  EVENT_HEAD,
  eventRows,
  type LogEntry,
  logEntryOf,
  MODEL_HEAD,
  modelRows,
  requestLine,
} from './trace-lines.ts';

interface TraceOptions {
  since?: When;
  log?: string;
}

/** `rookery trace`: follows one request to its events, the reactions to them, and the read models. */
export const traceCommand = (): Command =>
  new Command('trace')
    .description('Follow a request to its events and on to the read models, by its correlation id')
    .argument('<id>', 'the X-Request-Id of the reply, or the correlation_id of an audit entry')
    .option('--since <when>', `reads the event log from here on, which is faster: ${WHEN}`, parseWhen)
    .option('--log <file>', "finds the request in this file with the server's log lines as well")
    .action((id: string, options: TraceOptions) =>
      asOperator((operator) => trace(operator, id, options), { onlyLooks: true }),
    );

/** @throws RookeryError `not_found` when neither the event log nor the log file knows the request */
async function trace({ app }: Operator, id: string, { since, log: file }: TraceOptions): Promise<void> {
  const start = since === undefined ? undefined : await pointAt(app.log, since);
  const entries = file === undefined ? [] : await entriesIn(file, id);
  const events = await eventsOf(app.log, id, start?.event);
  const [first] = events;
  if (!first && entries.length === 0) {
    throw new RookeryError(
      'not_found',
      `No event has the correlation id ${id}: the request was refused, only read, or is older than --since`,
    );
  }
  for (const entry of entries) printResult(requestLine(entry), { request: entry });
  if (!first) {
    confirm('It wrote no event.', { events: 0 });
    return;
  }
  printTable(EVENT_HEAD, eventRows(events));
  if (!isJson()) printResult('', {});
  printTable(MODEL_HEAD, modelRows(await readModelsOf(events, projections, app.db)));
  const ids = new Set(events.map((event) => event.id));
  for (const { reactor, event_id, event_type, error } of await listDeadLetters(app.db)) {
    if (!ids.has(event_id)) continue;
    const reason = error.replaceAll(/\s+/g, ' ');
    printResult(`\n${reactor} failed on ${event_type}: ${reason}`, { reactor, event_id, event_type, error });
  }
}

/** Events per read. */
const PAGE = 1_000;

/** Reads from an event on: EventStoreDB can read only after the position of an event. */
async function eventsOf(
  log: Operator['app']['log'],
  id: string,
  start?: RecordedEvent,
): Promise<RecordedEvent[]> {
  const progress = countProgress('Read', 'events');
  const isOfRequest = ({ metadata }: RecordedEvent): boolean => metadata.correlation_id === id;
  const found = start ? [start].filter(isOfRequest) : [];
  let count = 0;
  for (let from = start?.position ?? 0n; ;) {
    const page = await log.readAll(from, PAGE);
    const last = page.at(-1);
    if (!last) break;
    found.push(...page.filter(isOfRequest));
    from = last.position;
    count += page.length;
    if (page.length === PAGE) progress.update(count);
  }
  progress.stop();
  return found;
}

async function entriesIn(file: string, id: string): Promise<LogEntry[]> {
  const found: LogEntry[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const entry = line.includes(id) ? logEntryOf(line, id) : undefined;
    if (entry) found.push(entry);
  }
  return found;
}
