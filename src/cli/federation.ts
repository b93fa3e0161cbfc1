import { Command } from 'commander';
import { deliveriesByHost } from '#queries/federation/index.ts';
import { asOperator, type Operator } from './operator.ts';
import { printTable } from './output.ts';

/** `rookery federation`: deliveries to other servers. */
export function federationCommand(): Command {
  const federation = new Command('federation').description('Look after what goes to other servers');
  federation
    .command('deliveries')
    .description('Show what each server was sent, what waits for it, and since when it does not answer')
    .action(() => asOperator(deliveries));
  return federation;
}

async function deliveries({ app }: Operator): Promise<void> {
  const lines = (await deliveriesByHost(app.db)).map((each) => [
    each.host,
    String(each.queued),
    each.delivered,
    each.refused,
    each.failed,
    each.last_success_at,
    each.last_failure_at,
    each.down_since,
    each.last_failure?.replaceAll(/\s+/g, ' ') ?? '',
  ]);
  const head = ['HOST', 'QUEUED', 'DELIVERED', 'REFUSED', 'FAILED', 'LAST SUCCESS', 'LAST FAILURE'];
  printTable([...head, 'DOWN SINCE', 'ERROR'], lines);
}
