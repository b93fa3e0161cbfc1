import { Command } from 'commander';
import { retryDeadLetters } from '#commands/admin/reactors.ts';
import { RookeryError } from '#kernel/errors.ts';
import { eventsBehind } from '#storage/eventlog/lag.ts';
import { listDeadLetters, reactorStates } from '#storage/reactor-runtime/store.ts';
import { listTimers } from '#storage/reactor-runtime/timer-store.ts';
import { oneLine } from './one-line.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printTable } from './output.ts';
import { countText } from './table.ts';

/**
 * `rookery reactors`: the work that follows from events outside of the read models, and dead-lettered events.
 */
export function reactorsCommand(): Command {
  const reactors = new Command('reactors').description('Look after what happens because of events');
  reactors
    .command('list')
    .description('Show the lag of each reactor in events (~: an estimate) and its dead-lettered events')
    .action(() => asOperator(list));
  reactors
    .command('timers')
    .description('Show when each timer runs next and ran last, and the error of those that fail')
    .action(() => asOperator(timers));
  reactors
    .command('failures')
    .description('Show the dead-lettered events, oldest first, with the error')
    .action(() => asOperator(failures));
  reactors
    .command('retry')
    .description('Let the running server, or its next start, retry dead-lettered events')
    .argument('[reactor]', 'all unless given')
    .option('--event <id>', 'only this event')
    .action((reactor: string | undefined, { event }: { event?: string }) =>
      asOperator((operator) => retry(operator, reactor, event)),
    );
  return reactors;
}

async function list({ app }: Operator): Promise<void> {
  const states = await reactorStates(app.db);
  const counts = await eventsBehind(
    app.log,
    states.map(({ position }) => position),
  );
  const lines = states.map(({ name, position, deadLettered }, index) => [
    name,
    String(position),
    countText(counts[index]),
    deadLettered,
  ]);
  printTable(['NAME', 'POSITION', 'LAG', 'DEAD LETTERS'], lines);
}

async function timers({ app }: Operator): Promise<void> {
  const lines = (await listTimers(app.db)).map((each) => [
    each.name,
    each.state,
    each.next_at,
    each.fired_at,
    each.fired,
    each.failing,
    oneLine(each.error ?? ''),
  ]);
  printTable(['NAME', 'STATE', 'NEXT', 'LAST', 'FIRED', 'FAILING', 'ERROR'], lines);
}

async function failures({ app }: Operator): Promise<void> {
  const lines = (await listDeadLetters(app.db)).map((each) => [
    each.reactor,
    each.event_id,
    each.event_type,
    each.stream,
    each.attempts,
    each.set_aside_at,
    oneLine(each.error),
  ]);
  printTable(['REACTOR', 'EVENT', 'TYPE', 'STREAM', 'TRIES', 'SINCE', 'ERROR'], lines);
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function retry({ ctx }: Operator, reactor?: string, eventId?: string): Promise<void> {
  if (eventId !== undefined && !UUID.test(eventId)) {
    throw new RookeryError('invalid', `${eventId} is no id of an event; see: rookery reactors failures`);
  }
  const count = await retryDeadLetters(ctx, { reactor, eventId });
  confirm(`${count} event(s) will be tried again`, { count });
}
